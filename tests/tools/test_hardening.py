"""The program is built with what makes a slip hard to use: meson.build asks for it, and this looks at what came of it."""
import os
import pathlib
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[2]


def test_the_program_is_hardened():
    program = os.environ.get("DRG_BIN") or ROOT / "build" / "dragoman"
    said = subprocess.run(["readelf", "-hldW", "--dyn-syms", program], stdout=subprocess.PIPE, check=True, text=True).stdout
    lines = said.splitlines()
    assert any("Type:" in line and "DYN" in line for line in lines), "position-independent"
    assert any("FLAGS_1" in line and "NOW" in line and "PIE" in line for line in lines), "no symbol is resolved late"
    assert any("GNU_RELRO" in line for line in lines), "tables are read-only after the start"
    assert any("GNU_STACK" in line and " RW " in line for line in lines), "the stack is not executable"
    assert "__stack_chk_fail" in said and "__memcpy_chk" in said, "canaries, and copies that know their room"
