"""A synchronous standby that is away: no commit is answered, and nobody waits for ever."""
import threading

import pytest

import client
import parts
import registration
from test_campaign import new_store_keys, primary, pytestmark, start_nodes  # noqa: F401 (fixtures)

NAMED = {"Idempotency-Key": "once"}


@pytest.fixture
def standby(primary):  # noqa: F811
    made = parts.standby_of(primary)
    made.start()
    yield made
    made.__exit__()


def writes(server):
    return parts.get(server.port, "/readyz/write")[0]


def test_a_commit_that_waits_for_a_standby_is_not_waited_for_without_an_end(primary, standby, clock, start_nodes):  # noqa: F811
    servers = start_nodes(primary.url("dragoman"), "--lock-timeout", "1", "--match", "off")  # a commit of the matcher would wait for the standby too
    one, two = servers[:2]
    parts.insist_on(primary)
    assert registration.source_add(one, meal=[registration.element("meal", "first")]).status == 200
    parts.wait_for(lambda: clock.advance(0.5) or registration.is_registered(two, "meal", "first"), client.PATIENCE, "the other node shows it")
    standby.stop()
    answers = []
    waiting = threading.Thread(target=lambda: answers.append(registration.source_add(one, NAMED, meal=[registration.element("meal", "once")])))
    waiting.start()
    while waiting.is_alive():
        assert registration.is_registered(two, "meal", "first"), "reads go on"
        clock.advance(0.5)
        waiting.join(0.1)
    client.assert_error(answers[0], 503, reason="outcome_unknown")
    client.assert_error(registration.source_add(two, meal=[registration.element("meal", "other")]), 503, reason="not_stored")
    parts.wait_for(lambda: writes(one) == writes(two) == 503, client.PATIENCE, "both say that nothing can be written")
    standby.start()
    again = parts.wait_for(lambda: (a := registration.source_add(one, NAMED, meal=[registration.element("meal", "once")])).status == 200 and a, client.PATIENCE,
                           "the same request is answered")
    assert "error" not in again.data()["meal"]["once"], "as if it had never been asked before"
    for server in servers:
        parts.wait_for(lambda server=server: registration.is_registered(server, "meal", "once"), client.PATIENCE, "every node shows it")
