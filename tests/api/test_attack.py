"""What attacks found: each test here failed once."""
from urllib.parse import quote

import pytest

from client import assert_error


@pytest.mark.parametrize("before", range(4))
@pytest.mark.parametrize("character", "ж漢🎵")
def test_a_text_quoted_in_an_error_is_cut_between_characters(server, before, character):
    value = quote("." * before + character * 60)
    assert_error(server.b(f"tour/reference?country={value}"), 400, "country", "invalid_country")
    assert_error(server.b(f"avia/reference?types={value}"), 400, "types", "invalid_types")
    assert_error(server.b(f"avia/reference?near={value}"), 400, "near", "invalid_near")
    assert_error(server.b(f"avia/detail?source_id={value}"), 400, "source_id", "bad_integer")
