"""Options that raise a limit raise what lies behind it, and an answer that is too large is told, never a 500."""
import pytest

import client
from client import assert_error

pytestmark = pytest.mark.store


def ask(server, body):
    return server.request("/v1/tour/sourceInfo?adapter_id=7", "POST", {client.HEADER["b"]: server.key_b}, body)


def hotels(n):
    return b'{"hotel":"' + b"1001," * n + b'"}'


def test_an_answer_beyond_the_limit_is_a_400_that_says_so(make_server, mini):
    server = make_server(mini, "--max-answer-memory", "1048576")
    size = len(ask(server, hotels(2)).body) - len(ask(server, hotels(1)).body)
    envelope = len(ask(server, hotels(1)).body) - (size - 1)
    most = (1048576 - envelope + 1) // size
    assert len(ask(server, hotels(most - 200)).body) > 900_000
    assert_error(ask(server, hotels(most + 1)), 400, reason="answer_too_large")
    assert ask(server, hotels(1)).status == 200


@pytest.mark.heavy
@pytest.mark.parametrize("n, limit, status", [(4_300_000, 5_000_000, 200), (4_300_000, 4_299_999, 400)])
def test_a_batch_of_millions_is_as_good_as_the_options_say(make_server, mini, n, limit, status):
    server = make_server(mini, "--max-batch", str(limit), "--max-body", "50000000")
    response = ask(server, b'{"hotel":"' + b"7," * n + b'"}')
    if status == 200:
        assert response.status == 200 and response.body.count(b'"source":null') == n
    else:
        assert_error(response, 400, reason="too_many_ids")
