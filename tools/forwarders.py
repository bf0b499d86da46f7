#!/usr/bin/python3
"""List the functions of src/ that do nothing but call one other with what they were given: --all also those that give it more, such as a
member or a constant. Asserts do not count as doing something. A function whose address is taken is a callback or a row of a table: it has
to be a function, and so has one that words a message, which stands in one place: both are left out. A forwarder is worth its place where it hides a struct, or gives a name to a constant; else its callers
can call the other one."""
import pathlib
import re
import sys

TOP = pathlib.Path(__file__).resolve().parent.parent
BODY = re.compile(r"^(\w[^;{}()]*?\b(\w+)\(([^;{}]*)\))\n\{\n(.*?)^\}", re.MULTILINE | re.DOTALL)
CALL = re.compile(r"^(?:return )?(?:\(void\)!?)?(\w+)\(([^()]*)\);$", re.DOTALL)
NO_CODE = re.compile(r'/\*.*?\*/|"(?:[^"\\\n]|\\.)*"|^\s*#include.*?$', re.MULTILINE | re.DOTALL)
MESSAGE = re.compile(r'"[^"\n]* [^"\n]*"')  # a text of words, or what prints several values
ASSERT = re.compile(r"^\tassert\([^;]*\);\n", re.MULTILINE)


def is_taken(name, text):
    """Is it named where it is not called? What the file has a variable of the same name for does not count."""
    variable = re.search(rf"(?!return\b)\b\w+ \**{name}\b\s*[,;=)\[]", text)
    return not variable and re.search(rf"(?<![\w.])(?<!->){name}\b(?!\s*\()", text) is not None


def forwarders(every=False):
    """(file, function, what it calls) of each."""
    texts = {path: NO_CODE.sub(" ", path.read_text(encoding="utf-8")) for path in sorted((TOP / "src").rglob("*.[ch]"))}
    for path, text in texts.items():
        for whole in BODY.finditer(path.read_text(encoding="utf-8")):
            statements = " ".join(ASSERT.sub("", NO_CODE.sub(" ", whole[4])).split())
            call = CALL.match(re.sub(r"\(void\)\w+(?:, \(void\)\w+)*; ", "", statements))
            if call is None or call[1] in ("sizeof", "assert", "return") or MESSAGE.search(whole[4]):
                continue
            given = {re.findall(r"\w+", p)[-1] for p in whole[3].split(",") if re.findall(r"\w+", p)}
            passed = [a.strip() for a in call[2].split(",") if a.strip()]
            seen_by = [text] if "static" in whole[1] and path.suffix == ".c" else texts.values()
            if (every or all(a in given for a in passed)) and not any(whole[2] in t and is_taken(whole[2], t) for t in seen_by):
                yield path.relative_to(TOP), whole[2], call[1]


if __name__ == "__main__":
    for file, name, called in forwarders("--all" in sys.argv):
        print(f"{file}: {name}() -> {called}()")
