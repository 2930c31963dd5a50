"""Finds out which calls of host functions are awaited, and says so in the code.

A host function can be called with and without `await`. What the call has to give is known from where it stands:

- `await f(x)`, `asyncio.gather(f(x), f(y))`, `tasks = [f(x) for x in xs]` with a later `await asyncio.gather(*tasks)`:
  something awaits it, so it gives an awaitable and runs in the background. What is called there may be any expression: a
  host function can be passed to other functions.
- `r = f(x)` in an async function: the `await` was forgotten; it is put in, so that other tasks go on meanwhile.
- anything else: it gives the result, and the interpreter waits for it.

Positions stay as they are, so that tracebacks show the cell as it was written.
"""

import ast
import asyncio

AWAITERS = frozenset("gather create_task ensure_future wait_for wait shield as_completed run".split())
"""Functions of asyncio that await their arguments."""
METHODS = frozenset("create_task run_until_complete".split())
"""Methods of loops and task groups that do."""
CARRIERS = frozenset("list tuple set map iter reversed filter".split())
"""Functions that hand on what they are given."""
CONTAINERS = frozenset("values append add extend insert update setdefault".split())
"""Methods of containers that keep what they are given, or give it."""
SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)


def rewrite(tree, names, namespace):
    """Changes a module in place, for host functions of the given names and what a namespace holds."""
    relevant = (ast.Await, ast.AsyncFunctionDef)
    if any(isinstance(node, relevant) or isinstance(node, ast.Name) and node.id in names for node in ast.walk(tree)):
        rebound = _rebound(tree)
        awaiters = _Awaiters(tree, rebound, namespace)
        _Rewriter(names - rebound, awaiters, _awaited_names(tree, awaiters)).visit(tree)
        ast.fix_missing_locations(tree)


def _rebound(tree):
    """Names that the cell gives another meaning."""
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            found.add(node.id)
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            found.add(node.name)
        elif isinstance(node, ast.arg):
            found.add(node.arg)
        elif isinstance(node, ast.alias):
            found.add((node.asname or node.name).partition(".")[0])
    return found


class _Awaiters:
    """Knows the functions of asyncio under the names they have in a cell."""

    def __init__(self, tree, rebound, namespace):
        known = {name: value for name, value in namespace.items() if name not in rebound}
        self._modules = {name for name, value in known.items() if value is asyncio}
        functions = {id(getattr(asyncio, name)) for name in AWAITERS}
        self._functions = {name for name, value in known.items() if id(value) in functions}
        for node in ast.walk(tree):
            if isinstance(node, ast.Import):
                self._modules.update(name.asname or name.name for name in node.names if name.name == "asyncio")
            elif isinstance(node, ast.ImportFrom) and node.module == "asyncio":
                self._functions.update(name.asname or name.name for name in node.names if name.name in AWAITERS)

    def __contains__(self, call):
        function = call.func
        if isinstance(function, ast.Name):
            return function.id in self._functions
        if not isinstance(function, ast.Attribute):
            return False
        if isinstance(function.value, ast.Name) and function.value.id in self._modules:
            return function.attr in AWAITERS
        return function.attr in METHODS


def _hands_on(node):
    """Whether a call hands on what it is given."""
    if isinstance(node.func, ast.Name):
        return node.func.id in CARRIERS
    return isinstance(node.func, ast.Attribute) and node.func.attr in CONTAINERS


def _is_call_of(node, names):
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in names


def _base(node):
    """The variable an expression takes its value from: `tasks` of `*tasks`, `tasks[0]` and `tasks.values()`."""
    while True:
        if isinstance(node, ast.Name):
            return node.id
        if isinstance(node, (ast.Starred, ast.Subscript, ast.Attribute, ast.Await)):
            node = node.value
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            node = node.func.value
        elif _is_call_of(node, CARRIERS | {"enumerate", "zip"}) and node.args:
            node = node.args[0]
        else:
            return ""


def _awaited_names(tree, awaiters):
    """Variables whose values, or whose items, something awaits."""
    awaited = set()
    loops = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Await):
            if isinstance(node.value, (ast.Name, ast.Subscript)):
                awaited.add(_base(node.value))
        elif isinstance(node, ast.Call) and node in awaiters:
            awaited.update(_base(argument) for argument in node.args)
        elif isinstance(node, (ast.For, ast.comprehension)):
            loops.append(({name.id for name in ast.walk(node.target) if isinstance(name, ast.Name)}, _base(node.iter)))
        elif isinstance(node, ast.Assign):
            targets = {_base(target) for target in node.targets}
            if isinstance(node.value, (ast.Name, ast.Subscript)):
                loops.append((targets, _base(node.value)))
    awaited.discard("")
    grown = True
    while grown:
        sources = {source for names, source in loops if names & awaited} - {""}
        grown = not sources <= awaited
        awaited |= sources
    return awaited


class _Rewriter(ast.NodeTransformer):
    def __init__(self, names, awaiters, awaited_names):
        self._names = names
        self._awaiters = awaiters
        self._awaited_names = awaited_names
        self._awaited = False
        self._in_async = False

    def _visit_as(self, node, awaited, in_async=None):
        before = self._awaited, self._in_async
        self._awaited = awaited
        if in_async is not None:
            self._in_async = in_async
        try:
            return self.visit(node)
        finally:
            self._awaited, self._in_async = before

    def _fields_as(self, node, awaited, in_async=None):
        """Visits the children of a node."""
        for field, value in ast.iter_fields(node):
            if isinstance(value, list):
                items = [self._visit_as(item, awaited, in_async) if isinstance(item, ast.AST) else item for item in value]
                setattr(node, field, items)
            elif isinstance(value, ast.AST):
                setattr(node, field, self._visit_as(value, awaited, in_async))
        return node

    def _is_host(self, node):
        return isinstance(node, ast.Name) and node.id in self._names

    def _helper(self, name, function, node):
        """A call of a helper that gets the function and its arguments."""
        call = ast.Call(ast.copy_location(ast.Name(name, ast.Load()), function), [function, *node.args], node.keywords)
        return ast.copy_location(call, node)

    def generic_visit(self, node):
        if isinstance(node, ast.AsyncFunctionDef):
            return self._fields_as(node, False, True)
        if isinstance(node, SCOPES):
            return self._fields_as(node, False, False)
        carries = (ast.List, ast.Tuple, ast.Set, ast.Dict, ast.Starred, ast.IfExp, ast.expr_context)
        return self._fields_as(node, self._awaited and isinstance(node, carries))

    def _comprehension(self, node):
        # An `await` in a generator expression would make it an asynchronous one, which nobody can iterate.
        in_async = False if isinstance(node, ast.GeneratorExp) else None
        for name in ("elt", "key", "value"):
            part = getattr(node, name, None)
            if part is not None:
                setattr(node, name, self._visit_as(part, self._awaited and name != "key", in_async))
        node.generators = [self._visit_as(generator, False, in_async) for generator in node.generators]
        return node

    visit_ListComp = visit_SetComp = visit_DictComp = visit_GeneratorExp = _comprehension

    def visit_Await(self, node):
        node.value = self._visit_as(node.value, True)
        return node

    def visit_Assign(self, node):
        targets = {_base(target) for target in node.targets}
        node.value = self._visit_as(node.value, bool(targets & self._awaited_names))
        return node

    def visit_AugAssign(self, node):
        node.value = self._visit_as(node.value, _base(node.target) in self._awaited_names)
        return node

    def visit_AnnAssign(self, node):
        if node.value is not None:
            node.value = self._visit_as(node.value, _base(node.target) in self._awaited_names)
        return node

    def visit_Call(self, node):
        owner = _base(node.func.value) if isinstance(node.func, ast.Attribute) else ""
        is_host = self._is_host(node.func)
        carries = _hands_on(node) and not is_host and (self._awaited or owner in self._awaited_names)
        awaited = carries or node in self._awaiters
        node.func = self._visit_as(node.func, False)
        node.args = [self._visit_as(argument, awaited) for argument in node.args]
        for keyword in node.keywords:
            keyword.value = self._visit_as(keyword.value, False)
        if awaited:
            if _is_call_of(node, {"map"}) and node.args:
                node.args[0] = self._starter(node.args[0])
            return node
        if self._awaited:
            return self._helper("__host_start__", node.func, node)
        if self._in_async and is_host:
            return ast.copy_location(ast.Await(self._helper("__host_finish__", node.func, node)), node)
        return node

    def _starter(self, node):
        """The function that begins calls of what `node` gives."""
        function = ast.copy_location(ast.Name("__host_starter__", ast.Load()), node)
        return ast.copy_location(ast.Call(function, [node], []), node)
