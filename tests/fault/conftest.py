"""Faults: killed processes, full disks, failing fsync. Fixtures are those of the black-box tests.

DRG_KILLS=N    how often test_kill.py kills the server (default 10; `make fault`: 200)"""
import importlib.util
import pathlib
import sys

API = pathlib.Path(__file__).resolve().parents[1] / "api"
sys.path.insert(0, str(API))
_spec = importlib.util.spec_from_file_location("api_conftest", API / "conftest.py")
_module = importlib.util.module_from_spec(_spec)
sys.modules["api_conftest"] = _module
_spec.loader.exec_module(_module)
globals().update({name: value for name, value in vars(_module).items() if not name.startswith("__")})
