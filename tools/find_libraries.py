#!/usr/bin/python3
"""find_libraries.py NAMES COMPILER…: the table of src/base/library.h as C. For each of the libraries NAMES ("PQ=pq,ZIP=zip")
the so-name of what the compiler would link and the Debian package that has it, as both change from release to release."""
import os
import re
import shutil
import subprocess
import sys


def output(*command):
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=False).stdout


def soname(compiler, name):
    path = output(*compiler, f"-print-file-name=lib{name}.so").strip()
    found = re.search(r"\(SONAME\).*\[(.*)\]", output("readelf", "-d", path))
    return found.group(1) if found else sys.exit(f"{path} has no so-name")


def packages(sonames):
    lines = output("dpkg", "-S", *(f"*/{s}" for s in sonames)) if shutil.which("dpkg") else ""
    return {os.path.basename(line.split()[-1]): line.split(":")[0] for line in lines.splitlines()}


def main():
    names, *compiler = sys.argv[1:]
    sonames = {library: soname(compiler, name) for library, name in (pair.split("=") for pair in names.split(","))}
    known = packages(sonames.values())
    print('#include "base/library.h"\nconst struct drg_library_name drg_library_names[DRG_LIBRARY_COUNT] = {')
    for library, s in sonames.items():
        print(f'\t[DRG_LIBRARY_{library}] = {{ "{s}", "{known.get(s, f"of {s}")}" }},')
    print("};")


if __name__ == "__main__":
    main()
