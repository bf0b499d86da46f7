"""tests/unit/main.c: a unit test that fails, crashes or hangs takes nothing down but itself."""
import pathlib
import subprocess

import pytest

UNIT = pathlib.Path(__file__).resolve().parents[1] / "unit"
SAMPLE = """
#include <pthread.h>
#include <signal.h>
#include <unistd.h>
#include "unit.h"

static int begun, set_ups;

static int set_up(void **state)
{
	*state = &set_ups;
	set_ups++;
	return 0;
}

static int tear_down(void **state)
{
	return *state == &set_ups ? 0 : -1;
}

static void *never(void *arg)
{
	(void)arg;
	for (;;)
		pause();
}

static void passes(void **state)
{
	begun++;
	assert_ptr_equal(*state, &set_ups);
	assert_int_equal(set_ups, 1);
}

static void leaves_a_thread_and_fails(void **state)
{
	pthread_t thread;
	(void)state;
	pthread_create(&thread, NULL, never, NULL);
	assert_int_equal(begun, 99);
}

static void waits_in_vain(void **state)
{
	(void)state;
	wait_until(begun == 98);
}

static void hangs_elsewhere(void **state)
{
	pthread_t thread;
	(void)state;
	pthread_create(&thread, NULL, never, NULL);
	pthread_join(thread, NULL);
}

static void crashes(void **state)
{
	(void)state;
	raise(SIGKILL);
}

GROUP(sample)
{
	static const struct CMUnitTest tests[] = { cmocka_unit_test(passes), TESTS };
	return cmocka_run_group_tests(tests, set_up, tear_down);
}
"""


@pytest.fixture(name="run")
def fixture_run(tmp_path):
    def run(*tests, arguments=("sample",)):
        (tmp_path / "sample.c").write_text(SAMPLE.replace("TESTS", ", ".join(f"cmocka_unit_test({test})" for test in tests)), "utf-8")
        subprocess.run(["gcc", "-D_GNU_SOURCE", "-g", "-w", "-I", UNIT, UNIT / "main.c", tmp_path / "sample.c", "-o", tmp_path / "sample",
                        "-lcmocka"], check=True)
        return subprocess.run([tmp_path / "sample", *arguments], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False,
                              env={"DRG_TEST_PATIENCE": "1", "PATH": "/usr/bin:/bin"})
    return run


def test_all_tests_pass(run):
    done = run("passes", "passes")
    assert done.returncode == 0
    assert done.stdout.splitlines()[-1] == "tests: 3 tests, 0 failed"


def test_one_by_a_pattern_runs_in_this_process(run):
    done = run("crashes", arguments=("sample", "pass*"))
    assert done.returncode == 0


@pytest.mark.parametrize("fault, said", [
    ("leaves_a_thread_and_fails", "0x1 != 0x63"),
    ("crashes", "crashes: failed, signal Killed"),
    ("waits_in_vain", "it waited last for: begun == 98 ("),
    ("hangs_elsewhere", "hangs_elsewhere at "),
])
def test_what_follows_a_fault_runs(run, fault, said):
    done = run(fault, "passes", fault, "passes")
    assert done.returncode == 1
    assert done.stdout.count("success: passes") == 3
    assert done.stdout.count(f"{fault}: failed") == 2
    assert said in done.stdout
    assert done.stdout.splitlines()[-1] == "tests: 5 tests, 2 failed"


def test_what_hangs_is_said_with_its_place(run):
    said = run("waits_in_vain").stdout
    line = 1 + next(n for n, text in enumerate(SAMPLE.splitlines()) if "begun == 98" in text)
    assert "waits_in_vain: hung for 1 s" in said
    assert f"sample.c:{line})" in said
    assert "waits_in_vain at " in said
