"""docs/clients.md: its programs print what the page says, on the demo data, also where requests and answers get lost on the way."""
import re

import pytest

import guide
from spoiling import Spoiler

pytestmark = pytest.mark.heavy
PAGE = guide.page("docs/clients.md")
BLOCKS = dict(guide.blocks("docs/clients.md"))
#: Of what make test-all runs; tests/openapi runs `ts`, and the others were run by hand.
RUN = ("php", "python", "js")
BY_HAND = {"java", "go", "csharp"}


@pytest.mark.cases("spoilt-python")
@pytest.mark.parametrize("language", RUN)
@pytest.mark.parametrize("faults", [(), ("503", None, "html", "cut", None, "drop")], ids=["plain", "spoilt"])
def test_a_client_prints_what_the_page_says(demo_store, dragoman, tmp_path, language, faults):
    command, name = re.search(rf"`(\S+ (client\.\w+))`[^`]*(?:`[^`\n]+`[^`]*)*^```{language}$", PAGE, re.M).groups()
    (tmp_path / name).write_text(BLOCKS[language], "utf-8")
    with guide.make_run(tmp_path, dragoman, demo_store) as reader, Spoiler(int(reader.base.rpartition(":")[2])) as way:
        way.spoil(*faults)
        through = f"BASE={way.url}\n" if faults else ""
        assert reader.types(f". demo/keys.env\n{through}{command}") == BLOCKS["text"]
        assert way.seen.count("/v1/tour/sourceAdd") == (2 if faults else 0) and not way.faults
        again = BLOCKS["text"].replace("N-900 is registered", "N-900 is refused: already_exists")
        assert faults or reader.types(f". demo/keys.env\n{command}") == again


def test_every_program_of_the_page_is_known_here():
    assert set(BLOCKS) == {"text", "sh", "ts", *RUN, *BY_HAND}
