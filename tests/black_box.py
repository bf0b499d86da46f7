"""The fixtures of the black-box tests (tests/api/conftest.py), for the conftest.py of another folder."""
import importlib.util
import pathlib
import sys

API = pathlib.Path(__file__).resolve().parent / "api"


def fixtures():
    """What globals() of the other conftest.py takes over. The modules of tests/api can be imported from then on."""
    sys.path.insert(0, str(API))
    spec = importlib.util.spec_from_file_location("api_conftest", API / "conftest.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules["api_conftest"] = module
    spec.loader.exec_module(module)
    return {name: value for name, value in vars(module).items() if not name.startswith("__")}
