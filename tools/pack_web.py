#!/usr/bin/python3
"""Pack the web pages into one blob and a C table of it: pack_web.py WEB_DIR VIEWER_DIR OUT.blob OUT.c

WEB_DIR is web/. VIEWER_DIR holds what tools/build-viewer made, for /docs; where it is "" the page says that the viewer is not
built in. Each file is kept as it is, and as gzip and Brotli.

What several pages share stands in web/pieces/. A comment on a line of its own, `<!-- NAME key="value" ... -->`, is the place of
web/pieces/NAME.html, in which `{key}` stands for the value. `<!-- reasons -->` is the place of the words that `reason` of an error can
be, which are read from docs/contract.md; `<!-- languages -->` that of the languages, English and one of each lang-TAG.json, which says
its own name for "English". There are no other comments: what cannot be put in stops the build.
"""
import gzip
import hashlib
import html
import json
import pathlib
import re
import sys

import brotli

TYPES = {".html": "text/html; charset=utf-8", ".css": "text/css; charset=utf-8", ".js": "text/javascript; charset=utf-8",
         ".svg": "image/svg+xml", ".json": "application/json", ".txt": "text/plain; charset=utf-8"}


def as_html(text):
    """A cell of a table: code and links, which lead to other parts of that document, as words."""
    text = html.escape(re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", text.strip()), quote=False)
    return re.sub(r"`([^`]*)`", r"<code>\1</code>", text)


def reasons(contract):
    """The table of the words as rows of HTML. Each word is an anchor."""
    table = re.search(r"^\| `reason` \| status \|.*\n\|[-|]+\n((?:\|.*\n)+)", contract, re.M)[1]
    for row in table.splitlines():
        words, status, meaning = row.strip("|").split("|")
        named = ", ".join(f'<code id="{word}">{word}</code>' for word in re.findall(r"`(\w+)`", words))
        yield f"<tr><td>{named}</td><td>{status.strip()}</td><td>{as_html(meaning)}</td></tr>"


def languages(web):
    """The options of the menu of languages."""
    for path in sorted(web.glob("lang-*.json")):
        tag = path.stem.removeprefix("lang-")
        yield f'<option value="{tag}" lang="{tag}">{html.escape(json.loads(path.read_text(encoding="utf-8"))["English"])}</option>'


PLACE = re.compile(r'^<!-- ([\w-]+)((?: \w+="[^"\n]*")*) -->$', re.M)


class Refused(Exception):
    """A page names a piece or a value that there is not."""


def with_values(piece, name, values, page):
    """A piece with its values: all that it names, and no others."""
    wanted = set(re.findall(r"\{(\w+)\}", piece))
    for key in sorted(wanted ^ set(values)):
        raise Refused(f'{page}: "{name}" ' + (f'needs {key}="..."' if key in wanted else f'has no {{{key}}} for {key}="..."'))
    return re.sub(r"\{(\w+)\}", lambda key: values[key[1]], piece)


def put_together(text, pieces, page):
    """A page with the pieces that it names, which may name others."""
    def put(place):
        name, values = place[1], dict(re.findall(r'(\w+)="([^"]*)"', place[2]))
        if name not in pieces:
            raise Refused(f'{page}: there is no piece "{name}"; there are {", ".join(sorted(pieces))}')
        others = {other: inside for other, inside in pieces.items() if other != name}  # a piece is no part of itself
        return put_together(with_values(pieces[name], name, values, page), others, page).removesuffix("\n")
    text = PLACE.sub(put, text)
    if "<!--" in text:
        raise Refused(f'{page}: a comment that is no piece: {text[text.index("<!--"):][:60].splitlines()[0]}')
    return text


def assets(web, viewer, contract):
    """name -> bytes"""
    found = {p.name: p.read_bytes() for p in web.iterdir() if p.suffix in TYPES and p.name != "package.json"}
    without = found.pop("docs-without.html")
    if viewer is None:
        found["docs.html"] = without
        del found["docs.js"], found["docs.css"]
    else:
        found |= {p.name: p.read_bytes() for p in viewer.iterdir() if p.suffix in TYPES}
    pieces = {p.stem: p.read_text(encoding="utf-8") for p in (web / "pieces").iterdir()}
    pieces["reasons"] = "\n".join(reasons(contract)).replace("{", "&#123;")  # a word of the contract is no key
    pieces["languages"] = "\n".join(['<option value="en" lang="en">English</option>', *languages(web)])
    for name in (name for name in found if name.endswith(".html")):
        found[name] = put_together(found[name].decode(), pieces, name).encode()
    return dict(sorted(found.items()))


def main():
    web, viewer, blob_path, c_path = sys.argv[1:5]
    contract = pathlib.Path(web, "../docs/contract.md").read_text(encoding="utf-8")
    blob, rows = bytearray(), []
    for name, plain in assets(pathlib.Path(web), pathlib.Path(viewer) if viewer else None, contract).items():
        forms = [plain, gzip.compress(plain, 9, mtime=0), brotli.compress(plain, quality=11)]
        etag = hashlib.sha256(plain).hexdigest()[:32]
        lengths = ", ".join(str(len(f)) for f in forms)
        rows.append(f'\t{{ "{name}", "{TYPES[pathlib.Path(name).suffix]}", {len(blob)}, {lengths}, "{etag}" }},')
        blob += b"".join(forms)
    blob_path, c_path = pathlib.Path(blob_path), pathlib.Path(c_path)
    blob_path.write_bytes(blob)
    c_path.write_text(
        "/* Made by tools/pack_web.py. */\n"
        '#include "api/web/assets.h"\n\n'
        '__asm__(".section .rodata\\n.balign 16\\n.global drg_web_blob\\ndrg_web_blob:\\n"\n'
        f'\t".incbin \\"{blob_path.resolve()}\\"\\n.byte 0\\n.previous\\n");\n\n'
        "const struct drg_asset drg_assets[] = {\n" + "\n".join(rows) + "\n};\n"
        f"const size_t drg_asset_count = {len(rows)};\n", encoding="utf-8")


if __name__ == "__main__":
    try:
        main()
    except Refused as e:
        sys.exit(f"pack_web.py: {e}")
