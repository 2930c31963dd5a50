"""Takes from the interpreter what leads to JavaScript, and explains imports that cannot work.

It is no border: that is the process. It closes the ways that are open by design, and it makes failures readable.
"""

import importlib.abc
import sys

HIDDEN = ("js", "pyodide_js", "pyodide", "_pyodide", "_pyodide_core", "_openjarvis")
INSTALLERS = ("micropip", "pip", "ensurepip")
PACKAGES = (
    "this Python has its standard library (json, re, math, statistics, datetime, collections, itertools, csv, sqlite3, "
    "decimal, fractions, random and so on) and no other packages; none can be installed"
)


class _NoSuchModule(importlib.abc.MetaPathFinder):
    """Asked last: says why there is no such module."""

    def find_spec(self, fullname, path=None, target=None):
        top = fullname.partition(".")[0]
        if path is not None:
            return None
        if top in HIDDEN:
            reason = "this Python has no way to JavaScript"
        elif top in sys.stdlib_module_names and top not in INSTALLERS:
            reason = "this part of the standard library does not work in the sandbox"
        else:
            reason = PACKAGES
        raise ModuleNotFoundError(f"No module named {fullname!r}: {reason}", name=fullname)


class _Hidden(importlib.abc.MetaPathFinder):
    """Asked first: hides what belongs to the sandbox."""

    def find_spec(self, fullname, path=None, target=None):
        if fullname.partition(".")[0] in HIDDEN:
            return _last.find_spec(fullname)
        return None


_last = _NoSuchModule()


def _is_pyodides(finder):
    owner = finder if isinstance(finder, type) else type(finder)
    return owner.__module__ == "_pyodide._importhook"


def close():
    """Hides JavaScript; what the sandbox itself needs keeps its references."""
    proxy = sys.modules["_pyodide_core"].jsproxy_typedict[0].__base__
    for finder in filter(_is_pyodides, sys.meta_path):
        getattr(finder, "jsproxies", {}).clear()
    sys.meta_path[:] = [_Hidden(), *(finder for finder in sys.meta_path if not _is_pyodides(finder)), _last]
    for name in list(sys.modules):
        if name.partition(".")[0] not in HIDDEN:
            continue
        module = sys.modules.pop(name)
        if "pyodide" in name and not isinstance(module, proxy):
            for key, value in list(vars(module).items()):
                if isinstance(value, proxy):
                    setattr(module, key, None)
