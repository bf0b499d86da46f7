#!/usr/bin/python3
"""Write the words of the matcher as a C table: embed_words.py OUT.c FILE.txt...

src/match/words/README.md has the format. A word that two files rewrite in two ways is an error, as is a line that is none.
"""
import pathlib
import re
import sys

CLASSES = {"type": 1, "residence": 2, "part": 4, "brand": 8, "airport": 32, "street": 128}
WORD = re.compile(r"[a-z0-9]+(_[a-z0-9]+)*")
LONGEST = 40  # letters: comparisons have fixed room


def read(paths):
    """word -> (flags, what it is rewritten to or None)"""
    flags, instead = {}, {}
    for path in paths:
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            kind, *words = line.split("#")[0].split() or [""]
            where = f"{path}:{number}"
            if kind == "":
                continue
            if not words or not all(map(WORD.fullmatch, words)):
                sys.exit(f"{where}: expected a class and words of small letters and digits")
            if max(map(len, words)) > LONGEST:
                sys.exit(f"{where}: a word has at most {LONGEST} letters")
            if kind in ("write", "number") and len(words) == 2:
                if instead.setdefault((kind, words[0]), words[1]) != words[1]:
                    sys.exit(f"{where}: \"{words[0]}\" is rewritten to \"{instead[kind, words[0]]}\" elsewhere")
            elif kind in CLASSES:
                for word in words:
                    flags[word] = flags.get(word, 0) | CLASSES[kind]
            else:
                sys.exit(f"{where}: expected {', '.join(CLASSES)}, or write or number with two words")
    return flags, instead


def slots_of(words):
    """A hash table of their numbers from 1, a quarter full: 0 is free. src/match/words.c looks things up in it."""
    bits = (4 * len(words)).bit_length()
    slots = [0] * (1 << bits)
    for number, word in enumerate(words, 1):
        h = 0
        for letter in word.encode():
            h = (h * 33 ^ letter) & 0xffffffff
        at = (h * 0x9e3779b1 & 0xffffffff) >> (32 - bits)
        while slots[at]:
            at = (at + 1) % len(slots)
        slots[at] = number
    return bits, slots


def quoted(word):
    return f'"{word}"' if word else "NULL"


def main():
    out, *files = sys.argv[1:]
    flags, instead = read(sorted(map(pathlib.Path, files)))
    words = sorted(flags.keys() | {word for _, word in instead}, key=str.encode)
    rows = [f'\t{{ "{w}", {flags.get(w, 0)}, {quoted(instead.get(("number", w)))}, '
            f'{quoted(instead.get(("write", w)))} }},\n' for w in words]
    bits, slots = slots_of(words)
    pathlib.Path(out).write_text(
        '/* Made by tools/embed_words.py. */\n#include "match/words.h"\n\n'
        f"const struct drg_word drg_words[] = {{\n{''.join(rows)}}};\n"
        f"const unsigned drg_word_bits = {bits};\n"
        f"const uint16_t drg_word_slots[] = {{ {', '.join(map(str, slots))} }};\n", encoding="utf-8")


if __name__ == "__main__":
    main()
