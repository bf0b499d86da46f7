#!/usr/bin/python3
"""Fail where the documentation says another thing than the tables in the code; `check_docs.py --write` makes its tables anew.

Written from the code: in docs/cli.md the table of options of each command (src/cli/options_*.c), in docs/interchange.md that of the
fields of each type (src/model/model.c) and list (src/model/content.c), in docs/contract.md and docs/curator-api.md the endpoints
(src/api/), in the order of these pages and with their links, in docs/monitor.md the metrics (src/api/metrics/), in docs/limits.md the
options of `serve` that are numbers, and the value of each constant that a row names. A table stands in the section of that name; a
section that has none yet gets it behind its first paragraph.

Checked besides: commands that the table of all commands lacks, parameters that their section does not name, decision numbers
that docs/decisions.md lacks, reasons that no source has, links to files and headings that are not there, pages with more words than
they may have.
"""
import difflib
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|/\*.*?\*/|[{}(),]|[^\s{}(),"]+', re.S)


# ---- C tables ----------------------------------------------------------------------------------------------

def read(name):
    return (ROOT / name).read_text(encoding="utf-8")


def table_rows(body):
    """Rows of a C initialiser, each a list of cells; `NAME(a, b)` counts as a row that begins with NAME."""
    rows, cells, cell, depth = [], [], [], 0
    for token in TOKEN.findall(body):
        if token.startswith("/*"):
            continue
        if token in "{(":
            depth += 1
            if depth == 1:
                cells, cell = ([cell[0]] if cell else []), []
                continue
        elif token in "})":
            depth -= 1
            if depth == 0:
                rows.append(cells + [" ".join(cell)])
                cell = []
                continue
        elif token == "," and depth <= 1:
            if depth == 1:
                cells.append(" ".join(cell))
            cell = []
            continue
        cell.append(token)
    return rows


def tables(text, declaration):
    """name -> rows of each `declaration name[] = { ... };`"""
    found = re.finditer(declaration + r"\s*(\w+)\[\w*\] = \{(.*?)\n\};", text, re.S)
    return {m.group(1): table_rows(m.group(2)) for m in found}


def unquote(cell):
    return "".join(re.findall(r'"((?:[^"\\]|\\.)*)"', cell)).replace('\\"', '"')


def constants(text):
    """Of `enum { NAME = 1, ... };`"""
    found = re.finditer(r"\benum \{(.*?)\};", text, re.S)
    return dict(pair for m in found for pair in re.findall(r"(\w+) = (\d+)", m.group(1)))


def words(text):
    found = re.finditer(r"static const char \*const (\w+)\[\] = \{(.*?)\};", text, re.S)
    return {m.group(1): re.findall(r'"([^"]*)"', m.group(2)) for m in found}


# ---- kinds ----------------------------------------------------------------------------------------------------

KIND = re.compile(r'^\tK\((\d+), (\w+), "(\w+)", "(\w+)", "([^"]*)",[ \\\n\t]*"([^"]*)",[ \\\n\t]*(\w+), (\w+), (\w+), (\d+), (\d+), ', re.M)


def kinds():
    """The rows of src/model/kinds.h, in the order of the pages."""
    names = "number NAME name plural title label compared keyed requests order offered".split()
    rows = [dict(zip(names, row)) for row in KIND.findall(read("src/model/kinds.h"))]
    return sorted(rows, key=lambda row: int(row["order"]))


def kinds_script():
    """web/kinds.js: what the pages know of kinds."""
    sources = [k for k in kinds() if k["compared"] != "NOT"]
    rows = "".join(f'  {k["name"]}: t("{k["label"]}"),\n' for k in sources)
    named = ", ".join(f'"{k["name"]}"' for k in sources if k["compared"] in ("HOTELS", "PLACES"))
    return ("// The kinds of suppliers' records. Made from src/model/kinds.h by tools/check_docs.py --write.\n"
            'import { t } from "./texts.js";\n\n'
            f"/** The name of each kind, in the order of the pages. */\nexport const KINDS = {{\n{rows}}};\n\n"
            f"/** Kinds whose records are known by their names; others are known by their codes. */\nexport const NAMED = new Set([{named}]);\n")


def kinds_offered():
    """The demo has words for the kinds that tour/sourceInfo asks for, and offers them in the order of the table."""
    asked = [k["name"] for k in sorted(kinds(), key=lambda row: int(row["offered"])) if k["requests"] == "ASKED"]
    english = read("web/words.js").split("  de: {")[0]
    told = re.findall(r"\bkind_(\w+):", english)
    if told != asked:
        yield f"web/words.js: has words for the kinds {', '.join(told)}; src/model/kinds.h offers {', '.join(asked)}"


# ---- fields ------------------------------------------------------------------------------------------------

VALUES = {
    "DRG_V_INT": "integer", "DRG_V_BOOL": "`true` or `false`", "DRG_V_REAL": "number", "DRG_V_SRCID": "text or integer",
    "DRG_V_TEXT": "text", "DRG_V_NAMES": "texts by language", "DRG_V_LANG": "language tag", "DRG_V_UPPER": "code",
    "DRG_V_TIME": "`HH:MM:SS`", "DRG_V_STAMP": "time", "DRG_V_JSON": "array", "DRG_V_RAW": "object",
}
REFERENCES = {"DRG_REF_ADAPTER": "id of an `adapter`", "DRG_REF_PLACE": "id of an `air_place`",
              "DRG_REF_SOURCE_HOTEL": "id of a `source` hotel", "DRG_REF_OWN_KIND": "id of a `dict` record of this kind"}
UNBOUNDED = {"DRG_V_BOOL", "DRG_V_ENUM", "DRG_V_LANG", "DRG_V_TIME", "DRG_V_STAMP", "DRG_V_JSON", "DRG_V_RAW"}


class Field:
    """One row of a field table, in the order of struct drg_field_def."""

    def __init__(self, cells, word_lists, constants):
        if cells[4] == "I64":
            cells = cells[:4] + [None, None] + cells[5:]
        _, wire, self.type, flags, low, high, default, listed, ref, kinds, doc = cells
        self.name, self.doc = unquote(wire), unquote(doc)
        self.flags = set(flags.split(" | "))
        self.low, self.high = constants.get(low, low), constants.get(high, high)
        self.default = default
        self.words = word_lists.get(listed, [])
        self.ref = ref
        self.kinds = [k.lower() for k in re.findall(r"K \( (\w+) \)", kinds)]

    def must(self):
        if self.flags & {"ID", "DRG_FF_ID"}:
            return "identity"
        if self.flags & {"REQ", "DRG_FF_REQUIRED"}:
            return "required, unique" if "DRG_FF_UNIQUE" in self.flags else "required"
        return ""

    def value(self):
        if self.type == "DRG_V_ENUM":
            text = "a kind" if self.name == "kind" else " or ".join(f"`{w}`" for w in self.words)
        else:
            text = VALUES[self.type]
        if self.ref in REFERENCES:
            text = REFERENCES[self.ref]
        elif self.ref.startswith("DRG_KIND_"):
            text = f"id of a `{self.ref[len('DRG_KIND_'):].lower()}`"
        elif self.type not in UNBOUNDED and self.low is not None:
            low, high = (str(int(x, 0)) for x in (self.low, self.high))
            text += f", {low}" if low == high else f", {low} to {high}"
        if "DRG_FF_NULL" in self.flags:
            text += ", or null"
        if self.flags & {"DEF", "DRG_FF_DEFAULT"}:
            text += f"; `{self.default_text()}` by default"
        return text

    def default_text(self):
        if self.type == "DRG_V_LANG":
            return "en"
        if self.type == "DRG_V_ENUM":
            return self.default.rsplit("_", 1)[1].lower()
        return "true" if self.default == "1" else "false"

    def row(self, with_kinds):
        cells = [f"`{self.name}`", self.must(), self.value()]
        if with_kinds:
            cells.append(", ".join(f"`{k}`" for k in self.kinds) or "all")
        return [*cells, self.doc]


def field_tables():
    """heading -> lines of the table"""
    result = {}
    for name, pattern in (("src/model/model.c", "{}"), ("src/model/content.c", "in hotel_content: {}")):
        text = read(name)
        lists, numbers = words(text), constants(read("src/model/model.h") + text)
        for table, rows in tables(text, "static const struct drg_field_def").items():
            if table in ("api_key_fields", "batch_fields", "batch_item_fields", "scorecard_fields", "person_fields",
                         "session_fields"):  # never in a file
                continue
            fields = [Field(cells, lists, numbers) for cells in rows]
            with_kinds = any(f.kinds for f in fields)
            head = ["field", "", "value", *(["kinds"] if with_kinds else []), "meaning"]
            result[pattern.format(table[:-len("_fields")])] = markdown(head, [f.row(with_kinds) for f in fields])
    return result


# ---- options -----------------------------------------------------------------------------------------------

HOMES = {"LOOKS": "load"}  # the command that explains the options of a macro; of the others "Every command" does
SAID_ONCE = {"CONFIG", "DATA_AND_STORE", "LOCK_TIMEOUT"}  # which commands take these, "Every command" says for all


class Option:
    """A row of an option table, in the words of `dragoman help COMMAND`."""

    def __init__(self, cells):
        macro, self.everywhere = cells[0].removesuffix("_ALL"), cells[0].endswith("_ALL")
        at = {"FLAG": (), "TEXT": (2, 3), "INT": (2, 3), "WORD": (2, 3), "TEXTS": (2,)}[macro]
        self.name, self.doc, self.type = unquote(cells[1]), unquote(cells[-1]), macro
        self.arg = unquote(cells[at[0]]) if at else ""
        default = cells[at[1]] if len(at) > 1 else "NULL"
        self.default = None if default == "NULL" else unquote(default)
        self.words = cells[4] if macro == "WORD" else None
        self.range = cells[4:6] if macro == "INT" else None

    def setting(self, command):
        """Its name in a file; that of the environment is it in capitals."""
        return self.name if self.everywhere or command == "serve" else f"{command.replace(' ', '-')}-{self.name}"

    def variable(self, command):
        return f"DRAGOMAN_{self.setting(command).upper().replace('-', '_')}"

    def shown(self):
        return f"`--{self.name}{' ' if self.arg else ''}{self.arg}`"

    def row(self, command=None):
        """With the command, also its variable."""
        meaning = re.sub(r"(?<!\S)--[a-z-]+", r"`\g<0>`", self.doc)
        if self.default is not None:
            meaning += f" (default: `{self.default}`)"
        variable = [f"`{self.variable(command)}`"] if command else []
        return [cell.replace("|", "\\|") for cell in (self.shown(), *variable, meaning)]


class Command:
    """A row of the table of commands. `parts`: (macro or None, its options) in the table's order."""

    def __init__(self, cells, parts):
        self.name, self.args, self.help, self.parts = unquote(cells[0]), unquote(cells[1]), unquote(cells[-1]), parts
        self.options = [option for _, options in parts for option in options]


def commands():
    text = "".join(read(f"src/cli/{name}") for name in ("option_rows_priv.h", "options_operate.c", "options_curate.c", "commands.c"))
    bodies = dict(re.findall(r"#define ([A-Z_]+) +(.*?[^\\])\n", text, re.S))
    macros = {}
    for name, body in bodies.items():
        if name != "END":
            inside = [macros[line] for line in re.findall(r"^\t([A-Z_]+), *\\?$", body, re.M)]
            macros[name] = [*sum(inside, []), *(Option(row) for row in table_rows(body.replace("\\\n", "\n")))]
    lists = dict(re.findall(r"^const struct drg_option (\w+)\[\] = \{(.*?)\};", text, re.S | re.M))

    def parts(body):
        for name, own in re.findall(r"\b([A-Z_]+)\b(?!\()(?:,|\s*$)|(\b[A-Z]+\((?:[^()\"]|\([^()]*\)|\"(?:[^\"\\]|\\.)*\")*\))", body):
            if name != "END":
                yield (name, macros[name]) if name else (None, [Option(cells) for cells in table_rows(own)])

    found = [Command(row, list(parts(lists[row[4]]))) for row in tables(text, "const struct drg_command")["drg_commands"] if row[0].startswith('"')]
    return found, macros, words(text)


def option_tables():
    """heading -> lines of the table, and one that names options which are explained elsewhere"""
    found, macros, _ = commands()
    everywhere = [option.row("…") for name, options in macros.items() if name not in HOMES and name != "CONFIG" for option in options]
    result = {"Every command": markdown(["option", "variable", "meaning"], everywhere)}
    for command in found:
        own, also = [], {}
        for name, options in command.parts:
            if name is None or HOMES.get(name) == command.name:
                own += options
            elif name not in SAID_ONCE:
                also.setdefault(HOMES.get(name), []).extend(f"`--{option.name}`" for option in options)
        lines = markdown(["option", "meaning"], [option.row() for option in own]) if own else []
        told = [f"{', '.join(names)}{f' of [{home}](#dragoman-{home})' if home else ''}" for home, names in also.items()]
        if told:
            lines += [*([""] if lines else []), f"Also {', '.join(told)}."]
        result[command.name] = lines
    return result


def settings_apart():
    """Two options have two names in a file, unless they mean the same everywhere."""
    names = {}
    for command in commands()[0]:
        for option in command.options:
            key = (option.name, option.everywhere or command.name)
            if names.setdefault(option.setting(command.name), key) != key:
                yield f"src/cli: the setting {option.setting(command.name)} is an option of two commands"


# ---- metrics -----------------------------------------------------------------------------------------------

def metrics():
    """(name, type, labels, help) of each row in src/api/metrics."""
    for path in ("http", "data", "machine"):
        for rows in tables(read(f"src/api/metrics/{path}.c"), "const struct drg_metric").values():
            for name, kind, labels, text, _ in rows[:-1]:
                yield unquote(name), kind.removeprefix("DRG_METRIC_").lower(), unquote(labels), unquote(text)


def metric_table():
    rows = [[f"`{name}`", kind, ", ".join(f"`{label}`" for label in labels.split(", ") if label), text]
            for name, kind, labels, text in metrics()]
    return {"Metrics": markdown(["metric", "type", "labels", "meaning"], rows)}


def alerts_told():
    """Each alert has a section and a test, and asks for metrics that there are."""
    rules, page, tests = (read(name) for name in ("packaging/alerts.yml", "docs/monitor.md", "packaging/alerts_test.yml"))
    known = {name for name, *_ in metrics()}
    for alert in re.findall(r"- alert: (\w+)", rules):
        if f"### {alert}\n" not in page:
            yield f"docs/monitor.md: no section says what to do for {alert}"
        if f"name: {alert}\n" not in tests:
            yield f"packaging/alerts_test.yml: {alert} is not tested"
    for name in set(re.findall(r"\bdragoman_\w+", rules + page)):
        if name not in known and name.removesuffix("_bucket") not in known:
            yield f"packaging/alerts.yml or docs/monitor.md: there is no metric {name}"


# ---- limits ------------------------------------------------------------------------------------------------

SIZES = {"DRG_HEAP_MAX", "DRG_ROW_MAX", "DRG_SHEET_CELL_MAX", "DRG_SHEET_BYTES_MAX"}  # in bytes


def number_table():
    """Of the options of serve that are numbers: default, least, most."""
    (options,) = (command.options for command in commands()[0] if command.name == "serve")
    rows = [[option.shown().split()[0] + "`", f"{int(option.default):,}", " to ".join(f"{value_of(cell):,}" for cell in option.range), option.doc]
            for option in options if option.type == "INT"]
    return markdown(["option", "default", "range", "meaning"], rows)


def value_of(text, known=None):
    """Of a constant expression of C."""
    plain = re.sub(r"U?INT64_C\s*\(\s*(\d+)\s*\)|\(size_t\)", lambda m: m.group(1) or "", text)
    plain = re.sub(r"DRG_\w+", lambda m: str(known[m.group()]), plain)
    if not re.fullmatch(r"[\d\s<*()]+", plain):
        raise SystemExit(f"\"{text}\" is no constant that can be read here")
    return eval(plain)  # figures and signs only


def limit(name):
    """The value of an enumerator or macro of src/."""
    for path in sorted((ROOT / "src").rglob("*.h")):
        found = re.search(rf"\b{name} = ([^,}}\n]+)|^#define {name} (.+)$", path.read_text(encoding="utf-8"), re.M)
        if found:
            text = found.group(1) or found.group(2)
            return value_of(text, {other: limit(other) for other in re.findall(r"DRG_\w+", text)})
    raise SystemExit(f"docs/limits.md: src/ has no constant {name}")


def in_units(name):
    value = limit(name)
    power = next((p for p in (30, 20, 10) if name in SIZES and value % (1 << p) == 0), 0)
    return f"{value >> power:,}{ {30: ' GiB', 20: ' MiB', 10: ' KiB', 0: ''}[power]}"


def with_limits(text):
    """docs/limits.md with the values of its constants and the options."""
    text = re.sub(r"^(\| [^|]+ \|)[^|]*(\| [^|]+ \| `(DRG_\w+)` \|)$", lambda m: f"{m.group(1)} {in_units(m.group(3))} {m.group(2)}", text, flags=re.M)
    return written(text, {"Options of serve": number_table()})


# ---- documents ---------------------------------------------------------------------------------------------

def markdown(head, rows):
    return [f"| {' | '.join(head)} |".replace("|  |", "| |"), "|" + "---|" * len(head), *(f"| {' | '.join(row)} |" for row in rows)]


def in_place(section, lines):
    """The section with this table, in the place of its first one that has such a head, or behind its first paragraph."""
    kind = re.match(r"\| \w+", lines[0]).group() if lines and lines[0].startswith("|") else "| option"
    made = "".join(f"{line}\n" for line in lines)
    block = rf"^(?:{re.escape(kind)} \|.*\n(?:\|.*\n)*(?:\nAlso `--.*\n)?|Also `--.*\n)"
    result, n = re.subn(block if made else block + r"\n?", lambda _: made, section, count=1, flags=re.M)
    if n == 0 and made:
        result, n = re.subn(r"\A.*\n\n(?:.+\n)+", lambda m: f"{m.group()}\n{made}", section)
    if n == 0 and made:
        raise SystemExit(f"no paragraph under \"{section.splitlines()[0]}\" for its table to stand behind")
    return result


def written(text, wanted):
    """The document with these tables."""
    def section_of(m):
        name = re.match(r"#+ (.*)", m.group()).group(1).replace("`", "").removeprefix("dragoman ")
        seen.add(name)
        return in_place(m.group(), wanted[name]) if name in wanted else m.group()

    seen = set()
    result = re.sub(r"^#+ .*\n(?:(?!#+ ).*\n)*", section_of, text, flags=re.M)
    for name in wanted:
        if name not in seen:
            raise SystemExit(f"there is no heading \"{name}\" for its table")
    return result


#: Of all endpoints: for programs, and for curators and administrators.
ENDPOINT_PAGES = ("docs/contract.md", "docs/curator-api.md")


def endpoint_rows(text):
    """(method, path) -> link, in the order of the text."""
    return {(m, p): link for m, p, link in re.findall(r"^\| `(GET|POST|DELETE) (/\S+)` \|.*\]\(([^)]*)\) \|$", text, re.M)}


def with_endpoints(pages):
    """name -> page with its tables of endpoints, each under its heading. A new endpoint comes last in the last table of the first page;
    its place and its link are for you to write."""
    known = {(e[0], e[1]): e for e in endpoints()}
    found = {name: {} for name in pages}  # name -> heading -> rows
    for name, text in pages.items():
        for heading, body in re.findall(r"^#+ (.*)\n((?:(?!#+ ).*\n)*)", text, re.M):
            if rows := {key: link for key, link in endpoint_rows(body).items() if key in known}:
                found[name][heading] = rows
    there = {key for tables_of in found.values() for rows in tables_of.values() for key in rows}
    first = next(iter(found.values()))
    first[list(first)[-1]].update({key: "#" for key in known if key not in there})

    def table(rows):
        return markdown(["endpoint", "key", "description"],
                        [[f"`{m} {p}`", known[m, p][2], f"[{known[m, p][3]}]({link})"] for (m, p), link in rows.items()])
    return {name: written(text, {heading: table(rows) for heading, rows in found[name].items()}) for name, text in pages.items()}


def documents():
    """name -> text as it should be"""
    return {"docs/interchange.md": written(read("docs/interchange.md"), field_tables()),
            "docs/cli.md": written(read("docs/cli.md"), option_tables()),
            "docs/limits.md": with_limits(read("docs/limits.md")),
            "docs/monitor.md": written(read("docs/monitor.md"), metric_table()),
            "web/kinds.js": kinds_script(),
            **with_endpoints({name: read(name) for name in ENDPOINT_PAGES})}


def tables_there():
    found = False
    for name, text in documents().items():
        for line in difflib.unified_diff(read(name).splitlines(), text.splitlines(), lineterm="", n=0):
            if line[0] in "+-" and line[:3] not in ("+++", "---"):
                yield f"{name}: {'not as in the code' if line[0] == '-' else 'the code has'}: {line[1:]}"
                found = True
    if found:
        yield "tools/check_docs.py --write writes these tables"


def commands_named():
    table = re.search(r"^## All commands\n(.*?)^## ", read("docs/cli.md"), re.S | re.M).group(1)
    for name in option_tables():
        if name != "Every command" and f"`{name}`" not in table:
            yield f"docs/cli.md: the table of all commands lacks \"dragoman {name}\""


KEYS = {"DRG_AUTH_PUBLIC": "none", "DRG_AUTH_KEY_A": "A", "DRG_AUTH_KEY_B": "B", "DRG_AUTH_SECRET_B": "B and secret", "DRG_AUTH_PATH_KEY_B": "B, in the path",
        "DRG_AUTH_SIGN_IN": "none", "DRG_AUTH_PERSON": "person", "DRG_AUTH_ANYBODY": "person, or nobody", "DRG_AUTH_VIEWER": "viewer", "DRG_AUTH_CURATOR": "curator", "DRG_AUTH_ADMIN": "admin"}


def endpoints():
    """(method, path, key, summary, parameters) of each row in src/api."""
    texts = {path: path.read_text(encoding="utf-8") for path in sorted(file for folder in ("api", "api/metrics", "api/people", "api/reconcile", "accounts", "workbench", "workbench/files", "workbench/queue", "openapi")
                                                                        for file in (ROOT / "src" / folder).glob("*.[ch]"))}
    macros = {m.group(1): m.group(2) for text in texts.values()
              for m in re.finditer(r"#define (DRG_PARAM_\w+)((?:.*\\\n)*.*)", text)}
    for text in texts.values():
        lists = {}
        for name, body in re.findall(r"static const struct drg_param (\w+)\[\] = \{(.*?)\{ 0 \}", text, re.S):
            while re.search(r"DRG_PARAM_\w+", body):
                body = re.sub(r"DRG_PARAM_\w+", lambda m: macros[m.group()], body)
            lists[name] = re.findall(r'\.name = "(\w+)"', body)
            if body.count(".doc = ") != len(lists[name]):
                raise SystemExit(f"src/api: a row of {name} has no doc")
        for row in re.findall(r"\{\s*(\.method = .*?)\}", text, re.S):
            cells = dict(re.findall(r"\.(\w+) = ((?:\"[^\"]*\"\s*)+|\w+)", row))
            if "name" not in cells:
                continue  # of the listener for operators
            yield (cells["method"].removeprefix("DRG_"), unquote(cells["path"]), KEYS[cells["auth"]], unquote(cells["summary"]),
                   lists.get(cells.get("params"), []))


def section(text, anchor):
    """What stands under the heading that a link leads to."""
    for m in re.finditer(r"^(#+) (.*)\n((?:(?!^#).*\n?)*)", text, re.M):
        if re.sub(r"[^\w -]", "", m.group(2).lower()).replace(" ", "-") == anchor:
            return m.group(3)
    return None


def endpoints_told():
    """The row of each endpoint leads to a section that names its parameters."""
    links = {key: (page, link) for page in ENDPOINT_PAGES for key, link in endpoint_rows(read(page)).items()}
    for method, path, _, _, params in endpoints():
        if (method, path) not in links:
            continue  # tables_there() says so
        page, link = links[method, path]
        name = f"{page}: {method} {path}"
        document, _, anchor = link.partition("#")
        text = section(read(f"docs/{document}" if document else page), anchor)
        if text is None:
            yield f"{name}: the link leads to no heading"
            continue
        for param in params:
            if f"`{param}`" not in text and f":{param}" not in path:
                yield f"{name}: its section does not name the parameter {param}"


def open_endpoints_told():
    """What is answered without a key."""
    page = read("docs/security.md")
    for method, path, key, _, _ in endpoints():
        if key == "none" and f"`{path}`" not in page:
            yield f"docs/security.md: {method} {path} takes no key and is not named"


def decisions():
    return set(re.findall(r"^### ([A-Z]\d+)\. ", read("docs/decisions.md"), re.M))


def decisions_in(line):
    """Those that a line of code names, "E4 to E6" with what stands between."""
    for letter, first, last in re.findall(r"\b([A-Z])(\d+)(?: to [A-Z](\d+))?\b", line):
        for number in range(int(first), int(last or first) + 1):
            yield f"{letter}{number}"


def decisions_there():
    known, named = decisions(), set()
    for path in sorted([*(ROOT / "src").rglob("*.[ch]"), *(ROOT / "tests").rglob("*.c"),
                        *(ROOT / "tests").rglob("*.py")]):
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            if "src" in path.relative_to(ROOT).parts:
                named.update(decisions_in(line))
            for refs in re.findall(r"decisions? ([A-Z]\d+(?:(?:, | and | to )[A-Z]\d+)*)", line):
                for one in re.findall(r"[A-Z]\d+", refs):
                    if one not in known:
                        yield f"{path.relative_to(ROOT)}:{number}: there is no decision {one} in docs/decisions.md"
    for one in sorted(known - named):
        yield f"docs/decisions.md: {one}: no file of src/ names it"


def reasons():
    """word -> status of src/base/reason.h; 0: not answered to requests."""
    return {word: int(status) for word, status in re.findall(r"\bR\((\w+), (\d+)\)", read("src/base/reason.h"))}


def reasons_told(contract):
    """(word, statuses) of the table of reasons, and the words of the elements of sourceAdd."""
    def words_of(cell):
        return re.findall(r"`(\w+)`", cell)

    rows = re.findall(r"^\| (`[a-z_0-9]+`(?:, `[a-z_0-9]+`)*) \| (\d{3}(?:, \d{3})*) \|", contract, re.M)
    told = {word: set(map(int, statuses.split(", "))) for cell, statuses in rows for word in words_of(cell)}
    own = re.findall(r"^\| (`[a-z_0-9]+`(?:, `[a-z_0-9]+`)*) \|", section(contract, "sourceadd") or "", re.M)
    return told, {word for cell in own for word in words_of(cell)}


def reasons_there():
    """The table of reasons in the code and the one in docs/contract.md are the same, and each word is in use. (A word that
    the code's table lacks does not compile.)"""
    known = reasons()
    told, of_elements = reasons_told(read("docs/contract.md"))
    for word in sorted(told):
        if known.get(word, 0) not in told[word]:
            yield f"docs/contract.md: src/base/reason.h has no reason {word} of the status {told[word]}"
    for word in sorted(word for word in known if known[word] != 0 and word not in told and word not in of_elements):
        yield f"docs/contract.md: the table of reasons lacks {word}, {known[word]}"
    sources = "".join(path.read_text(encoding="utf-8") for path in sorted((ROOT / "src").rglob("*.[ch]")))
    for word in sorted(known):
        if f"DRG_R({word})" not in sources:
            yield f"src/base/reason.h: no source uses the reason {word}"
    for path in sorted((ROOT / "src").rglob("*.c")):
        for word in re.findall(r'\\"reason\\":\\"(\w*)', path.read_text(encoding="utf-8")):
            yield f"{path.relative_to(ROOT)}: the reason {word} is written by hand"


def messages():
    """Those of docs/troubleshoot.md that the program prints, `…` where they differ."""
    page = read("docs/troubleshoot.md")
    for cell in re.findall(r"^\| (`.*?) \|", page[:page.index("## In answers over HTTP")], re.M):
        yield from re.findall(r"`([^`]+)`", cell)


def messages_there():
    """Each is a text of the program."""
    literal = r'"(?:[^"\\]|\\.)*"'
    texts = [unquote(found) for path in sorted((ROOT / "src").rglob("*.c"))
             for found in re.findall(rf"{literal}(?:\s*(?:PRI\w+\s*)?{literal})*", path.read_text(encoding="utf-8"))]
    for message in messages():
        pattern = re.compile(".*".join(map(re.escape, message.split("…"))))
        if not any(map(pattern.search, texts)):
            yield f"docs/troubleshoot.md: no source has the message \"{message}\""


def links_there():
    for path in sorted(file for folder in (".", "docs", "tools", "src/openapi") for file in (ROOT / folder).glob("*.md")):
        for link, anchor in re.findall(r"\]\(([^)#:]*)(?:#([^)]*))?\)", path.read_text(encoding="utf-8")):
            to = path.parent / link if link else path
            if not to.exists() or (anchor and section(to.read_text(encoding="utf-8"), anchor) is None):
                yield f"{path.relative_to(ROOT)}: the link to {link}{anchor and '#'}{anchor} leads nowhere"


def cut_tables(name, text):
    """A row behind an empty line begins a table, so its head has to be there."""
    for row in re.findall(r"\n\n(\|.*)\n(?!\|-)", re.sub(r"^```.*?^```", "", text, flags=re.M | re.S)):
        yield f"{name}: a table is cut before {row[:60]}"


def tables_whole():
    for path in sorted((ROOT / "docs").glob("*.md")):
        yield from cut_tables(f"docs/{path.name}", path.read_text(encoding="utf-8"))


# ---- length ------------------------------------------------------------------------------------------------

PAGE = 6000  # words


def made_lines():
    tables = [*field_tables().values(), *option_tables().values(), *metric_table().values()]
    return {line for lines in [*tables, number_table()] for line in lines}


def own_words(text, made):
    """Of a page, as wc -w counts them, but for lines that this program writes."""
    return sum(len(line.split()) for line in text.splitlines() if line not in made and not re.match(r"\| `(GET|POST|DELETE) /", line))


def lengths(pages):
    """`pages`: name -> text"""
    made = made_lines()
    words = {name: own_words(text, made) for name, text in pages.items()}
    for name in sorted(words):
        if words[name] > PAGE:
            yield f"{name}: {words[name]} words, and a page has {PAGE} at most"


def lengths_kept():
    yield from lengths({f"docs/{path.name}": path.read_text(encoding="utf-8") for path in (ROOT / "docs").glob("*.md")})
    if len(read("README.md").splitlines()) > 200:
        yield "README.md: more than 200 lines"


def problems():
    yield from tables_there()
    yield from commands_named()
    yield from settings_apart()
    yield from endpoints_told()
    yield from open_endpoints_told()
    yield from decisions_there()
    yield from reasons_there()
    yield from messages_there()
    yield from links_there()
    yield from tables_whole()
    yield from alerts_told()
    yield from lengths_kept()
    yield from kinds_offered()


def main():
    if sys.argv[1:] == ["--write"]:
        for name, text in documents().items():
            (ROOT / name).write_text(text, encoding="utf-8")
    found = list(problems())
    for line in found:
        print(line, file=sys.stderr)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
