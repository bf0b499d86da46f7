#!/usr/bin/python3
"""List the functions of src/ that do nothing but call one other with what they were given: --all also those that give it more, such as a
member or a constant. A forwarder is worth its place where it hides a struct, is a callback, or gives a name to a constant; else its
callers can call the other one."""
import pathlib
import re
import sys

TOP = pathlib.Path(__file__).resolve().parent.parent
BODY = re.compile(r"^(\w[^;{}()]*?\b(\w+)\(([^;{}]*)\))\n\{\n(.*?)^\}", re.MULTILINE | re.DOTALL)
CALL = re.compile(r"^(?:return )?(?:\(void\)!?)?(\w+)\(([^()]*)\);$", re.DOTALL)


def forwarders(every=False):
    """(file, function, what it calls) of each."""
    for path in sorted((TOP / "src").rglob("*.[ch]")):
        for whole in BODY.finditer(path.read_text(encoding="utf-8")):
            statements = " ".join(whole[4].split())
            call = CALL.match(re.sub(r"\(void\)\w+(?:, \(void\)\w+)*; ", "", statements))
            if call is None or call[1] in ("sizeof", "assert", "return"):
                continue
            given = {re.findall(r"\w+", p)[-1] for p in whole[3].split(",") if re.findall(r"\w+", p)}
            passed = [a.strip() for a in call[2].split(",") if a.strip()]
            if every or all(a in given for a in passed):
                yield path.relative_to(TOP), whole[2], call[1]


if __name__ == "__main__":
    for file, name, called in forwarders("--all" in sys.argv):
        print(f"{file}: {name}() -> {called}()")
