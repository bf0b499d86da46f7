#!/usr/bin/python3
"""Pack the SVG flags into one blob and a C table of it: pack_flags.py FLAGS_DIR OUT.blob OUT.c

FLAGS_DIR holds 1x1/xx.svg and 4x3/xx.svg for each country code. Without it the program has only "xx", the flag
of no country, drawn here.
"""
import gzip
import hashlib
import pathlib
import sys

NO_FLAG = ('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {w} 12"><rect width="{w}" height="12" '
           'fill="#e8e8e8"/><path d="M0 0L{w} 12M0 12L{w} 0" stroke="#b0b0b0"/></svg>\n')
RATIOS = {"1x1": 12, "4x3": 16}


def flags(folder):
    """(ratio, code, bytes), by ratio and code."""
    for ratio, width in RATIOS.items():
        found = {p.stem: p.read_bytes() for p in sorted((folder / ratio).glob("??.svg"))}
        found.setdefault("xx", NO_FLAG.format(w=width).encode())
        for code in sorted(found):
            yield ratio, code, found[code]


def main():
    folder, blob_path, c_path = map(pathlib.Path, sys.argv[1:4])
    blob = bytearray()
    rows = []
    for ratio, code, svg in flags(folder):
        packed = gzip.compress(svg, 9, mtime=0)
        etag = hashlib.sha256(svg).hexdigest()[:32]
        rows.append(f'\t{{ "{ratio}", "{code}", {len(blob)}, {len(svg)}, {len(packed)}, "{etag}" }},')
        blob += svg + packed
    blob_path.write_bytes(blob)
    c_path.write_text(
        "/* Made by tools/pack_flags.py. */\n"
        '#include "api/flags_table.h"\n\n'
        '__asm__(".section .rodata\\n.balign 16\\n.global drg_flags_blob\\ndrg_flags_blob:\\n"\n'
        f'\t".incbin \\"{blob_path.resolve()}\\"\\n.byte 0\\n.previous\\n");\n\n'
        "const struct drg_flag_row drg_flag_rows[] = {\n" + "\n".join(rows) + "\n};\n"
        f"const size_t drg_flag_count = {len(rows)};\n", encoding="utf-8")


if __name__ == "__main__":
    main()
