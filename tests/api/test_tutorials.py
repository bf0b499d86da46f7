"""docs/integrator.md on the demo data: each block is run, and what is printed beneath it is what it prints. (docs/search-form.md is
opened in a browser, tests/web.)"""
import re

from guide import assert_printed, page

#: How a block is run (of a program the command, which the text before it says), the block, and what is printed of its answer.
PARTS = re.findall(r"(?:`(node (\w+\.mjs))`[^`]*?)?^```(sh|js)\n(.*?)^```\n(?:\n```(?:text|json)\n(.*?)^```)?", page("docs/integrator.md"), re.M | re.S)


def test_the_guide_answers_as_it_says(reader):
    keys = PARTS[0][3]
    assert [part[2] for part in PARTS].count("js") == 2
    for command, file, language, text, shown in PARTS:
        if language == "js":
            (reader.folder / file).write_text(text, "utf-8")
            assert shown and reader.types(f"{keys}{command}") == shown
        else:
            said = reader.types(f"{keys}{text.replace('curl ', 'curl -f ') if text != keys else ''}")
            assert_printed(shown, said)


def test_every_block_is_run():
    assert re.findall(r"^```(\w+)$", page("docs/integrator.md"), re.M) == [
        word for _, _, language, _, shown in PARTS for word in (language, *(["text" if language == "js" else "json"] if shown else []))]
