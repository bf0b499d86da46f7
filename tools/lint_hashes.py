#!/usr/bin/python3
"""Tables hash with the secret of the process (src/base/hash.h), or whoever chooses the keys prepares collisions.

XXH3 itself is used in the files of RAW only; a hash without a secret, drg_checksum(), where what it yields is stored,
compared with another process, or must be the same in each run."""
import pathlib
import re
import sys

RAW = {
    "src/base/hash.h": "the hash of tables",
    "src/base/checksum.h": "the hash without a secret",
    "src/catalog/hash_priv.h": "the tables are stored, and their random seed with them",
    "src/import/ident.c": "128 bits, with the secret",
}
CHECKSUM = {
    "src/admin/backup/blocks.c": "of blocks of a file",
    "src/catalog/image.c": "of the layout of a file",
    "src/catalog/source.c": "likewise",
    "src/matching/learn/learn.c": "chooses a fold: learning gives the same weights in each run",
    "src/server/image/read.c": "of blocks of a file",
    "src/server/image/write.c": "likewise",
    "src/store/postgres/txn.c": "the number of a database server",
}
root = pathlib.Path(__file__).resolve().parent.parent
failed = False
for path in sorted((root / "src").rglob("*.[ch]")):
    name, text = str(path.relative_to(root)), path.read_text()
    raw = re.search(r"\bXXH\w+\s*\(|<xxhash\.h>", text)
    if raw and name not in RAW:
        print(f"{name}: {raw[0]}: use drg_hash() of base/hash.h, or tell tools/lint_hashes.py why not")
        failed = True
    if re.search(r"checksum\.h\"|\bdrg_checksum\s*\(", text) and name not in CHECKSUM and name not in RAW:
        print(f"{name}: drg_checksum() has no secret: use drg_hash(), or tell tools/lint_hashes.py why not")
        failed = True
sys.exit(failed)
