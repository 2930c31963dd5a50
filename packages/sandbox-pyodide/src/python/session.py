"""The namespace of a session, and what the host can ask of it."""

import __future__
import ast
import builtins
import importlib
import json
import linecache
import random
import signal
import sys
import types

from _openjarvis import bridge, eventloop, hostcalls, report, streams
from _openjarvis.rewrite import rewrite

KEPT_CELLS = 500
"""Cells whose lines tracebacks can still show."""
LOOP_USERS = frozenset("create_task ensure_future get_running_loop current_task TaskGroup".split())
"""Names that need a running loop even where nothing is awaited."""
TOP_LEVEL_AWAIT = ast.PyCF_ALLOW_TOP_LEVEL_AWAIT
FUTURE_FLAGS = sum({getattr(__future__, name).compiler_flag for name in __future__.all_feature_names})
PRELOADED = (
    "base64 bisect calendar collections copy csv dataclasses datetime decimal enum fractions functools hashlib heapq html "
    "io itertools json math operator os pathlib pprint random re statistics string struct textwrap time typing unicodedata "
    "urllib.parse zoneinfo"
).split()
"""Modules that most cells import, so that they are in the memory snapshot already."""
RECURSION = 1000
"""Python's own limit."""
MAX_RECURSION = 20_000
"""Deepest recursion a guest can allow itself."""
LAST = "__cell_value__"


class Session:
    def __init__(self):
        self._module = None
        self._functions = {}
        self._cells = 0
        self._builtins = dict(vars(builtins))

    def open(self, functions):
        """Begins a session with host functions of the given names."""
        self._functions = {name: hostcalls.HostFunction(name) for name in json.loads(functions)}
        for cell in range(max(0, self._cells - KEPT_CELLS), self._cells + 1):
            linecache.cache.pop(f"<cell {cell}>", None)
        self._cells = 0
        # The state of the generator comes from the memory snapshot and would be the same in every session.
        random.seed()
        self.reset()

    def reset(self):
        """Forgets every variable, and what was done to the builtins."""
        namespace = vars(builtins)
        namespace.clear()
        namespace.update(self._builtins)
        self._module = types.ModuleType("__main__")
        sys.modules["__main__"] = self._module
        self._flags = 0
        vars(self._module)["__builtins__"] = builtins
        vars(self._module).update(self._functions)
        hostcalls.forget()
        eventloop.renew()

    def set(self, name, kind, body):
        """Sets a variable to a text or to a JSON value."""
        text = bridge.text_of(body)
        vars(self._module)[name] = text if kind == "text" else json.loads(text)

    def run(self, source, limit):
        """Runs a cell and gives its outcome as JSON. `limit` is the most characters of its value and traceback."""
        outcome = {}
        try:
            self._run_guarded(source, limit, outcome)
        except BaseException as error:
            # An interrupt that was on its way when the cell ended.
            bridge.arm(False)
            outcome.setdefault("error", report.describe(error, limit))
        return json.dumps(outcome, ensure_ascii=False)

    def _run_guarded(self, source, limit, outcome):
        self._cells += 1
        self._begin(limit)
        try:
            self._execute(bridge.text_of(source), limit, outcome)
        except BaseException as error:
            bridge.arm(False)
            outcome["error"] = report.describe(error, limit)
        self._end(outcome, limit)

    def _begin(self, limit):
        sys.stdout, sys.stderr = streams.stdout, streams.stderr
        streams.stdout.begin(limit)
        streams.stderr.begin(limit)
        signal.signal(signal.SIGINT, signal.default_int_handler)
        _set_recursion_limit(RECURSION)

    def _end(self, outcome, limit):
        """Ends what the cell left running."""
        bridge.arm(True, True)
        try:
            left = eventloop.current.finish()
            if left > 0:
                tasks = "a task was" if left == 1 else f"{left} tasks were"
                streams.stderr.write(f"{tasks} still running at the end of the cell and had to be cancelled; await them\n")
        except BaseException as error:
            bridge.arm(False)
            outcome.setdefault("error", report.describe(error, limit))
        finally:
            bridge.arm(False)
            eventloop.renew()
            hostcalls.forget()
            streams.stdout.finish()
            streams.stderr.finish()

    def _execute(self, source, limit, outcome):
        namespace = vars(self._module)
        filename = f"<cell {self._cells}>"
        self._remember(filename, source)
        # Long chains of operators are deep trees.
        _set_recursion_limit(MAX_RECURSION)
        try:
            code, has_value = self._compile(source, filename, namespace)
        except (SyntaxError, ValueError, RecursionError, MemoryError, OverflowError) as error:
            outcome["error"] = report.describe(error, limit, compiling=True)
            return
        finally:
            _set_recursion_limit(RECURSION)
        bridge.arm(True)
        try:
            self._run_code(code, namespace)
            if has_value:
                self._show(namespace.pop(LAST, None), limit, outcome)
        finally:
            bridge.arm(False)
            namespace.pop(LAST, None)

    def _compile(self, source, filename, namespace):
        flags = TOP_LEVEL_AWAIT | self._flags
        tree = compile(source, filename, "exec", flags | ast.PyCF_ONLY_AST, dont_inherit=True)
        names = {name for name in self._functions if isinstance(namespace.get(name), hostcalls.HostFunction)}
        if names:
            rewrite(tree, names, namespace)
        last = tree.body[-1] if tree.body else None
        has_value = isinstance(last, ast.Expr)
        if has_value:
            target = ast.copy_location(ast.Name(LAST, ast.Store()), last)
            tree.body[-1] = ast.copy_location(ast.Assign([target], last.value), last)
        if any(getattr(node, "id", getattr(node, "attr", "")) in LOOP_USERS for node in ast.walk(tree)):
            self._make_async(tree)
        code = compile(tree, filename, "exec", flags, dont_inherit=True)
        self._flags |= code.co_flags & FUTURE_FLAGS
        return code, has_value

    def _make_async(self, tree):
        """Adds an `await`, so that the cell runs inside the event loop."""
        nothing = ast.parse("await __host_nothing__()").body
        position = 0
        while position < len(tree.body) and (
            isinstance(tree.body[position], ast.ImportFrom) and tree.body[position].module == "__future__"
            or isinstance(tree.body[position], ast.Expr) and isinstance(tree.body[position].value, ast.Constant)
        ):
            position += 1
        tree.body[position:position] = nothing

    def _run_code(self, code, namespace):
        if code.co_flags & 0x80:  # CO_COROUTINE: the cell awaits
            eventloop.current.run_until_complete(types.FunctionType(code, namespace)())
        else:
            exec(code, namespace)

    def _show(self, value, limit, outcome):
        if value is None:
            return
        outcome["value"], outcome["truncated"] = report.value_text(value, limit)
        as_json = report.value_json(value)
        if as_json is not None:
            outcome["json"] = as_json
        if isinstance(value, types.CoroutineType):
            value.close()
            streams.stderr.write("the value is a coroutine that never ran: did you forget await?\n")

    def _remember(self, filename, source):
        lines = source.splitlines(keepends=True)
        linecache.cache[filename] = (len(source), None, lines, filename)
        linecache.cache.pop(f"<cell {self._cells - KEPT_CELLS}>", None)


_set_recursion_limit = sys.setrecursionlimit


def _set_bounded_recursion_limit(limit):
    """sys.setrecursionlimit, up to what the interpreter survives."""
    _set_recursion_limit(min(limit, MAX_RECURSION))


async def _nothing():
    pass


def install():
    """Prepares everything a session needs; done once, before the memory snapshot."""
    for name in PRELOADED:
        importlib.import_module(name)
    hostcalls.install()
    eventloop.install()
    builtins.__host_nothing__ = _nothing
    sys.setrecursionlimit = _set_bounded_recursion_limit
    return Session()
