"""What is told about a cell: the value of its last expression, and why it failed."""

import json
import math
import traceback
import types

from _openjarvis import bridge
from _openjarvis.hostcalls import HostCallLimit

MAX_JSON = 1_000_000
"""Most characters of a value as JSON."""
MAX_MESSAGE = 4000
"""Most characters of the message of an exception."""
MAX_FRAMES = 100
"""Most frames of a traceback; the innermost are kept."""
LARGEST_INTEGER = 2**53 - 1
HEAD = 0.7


def shorten(text, limit):
    """At most `limit` characters, head and tail kept."""
    if len(text) <= limit:
        return text
    room = limit - len(f"\n[… {len(text)} characters left out …]\n")
    if room <= 0:
        return text[:limit]
    head = math.ceil(room * HEAD)
    tail = room - head
    return f"{text[:head]}\n[… {len(text) - room} characters left out …]\n{text[len(text) - tail :]}"


def value_text(value, limit):
    """The value as Python prints it, within `limit`, and whether it was cut."""
    if isinstance(value, (str, bytes)) and len(value) > 2 * limit:
        # The repr of a text of a gigabyte would be another gigabyte.
        text = shorten(repr(value[:limit]) + repr(value[-limit:]), limit)
        return text, True
    text = repr(value)
    return shorten(text, limit), len(text) > limit


def value_json(value):
    """The value as JSON text; None when it has no such form, or a very long one."""
    if not _is_json(value):
        return None
    text = json.dumps(value, ensure_ascii=False, allow_nan=False)
    return text if len(text) <= MAX_JSON else None


def _is_json(value):
    todo = [value]
    seen = 0
    while todo:
        item = todo.pop()
        seen += 1
        if seen > MAX_JSON:
            return False
        kind = type(item)
        if kind is str or kind is bool or item is None:
            continue
        if kind is int:
            if -LARGEST_INTEGER <= item <= LARGEST_INTEGER:
                continue
            return False
        if kind is float:
            if math.isfinite(item):
                continue
            return False
        if isinstance(item, (list, tuple)):
            todo.extend(item)
        elif isinstance(item, dict) and all(type(key) is str for key in item):
            todo.extend(item.values())
        else:
            return False
    return True


def _kind(error):
    kinds = (
        (SystemExit, "exit"),
        (KeyboardInterrupt, "timeout"),
        (MemoryError, "memory"),
        (RecursionError, "stack"),
        (HostCallLimit, "host_calls"),
    )
    return next((kind for types, kind in kinds if isinstance(error, types)), "runtime")


def _message(error):
    if isinstance(error, SystemExit):
        code = error.code
        return "the cell asked to exit" if code is None else f"the cell asked to exit with {shorten(repr(code), 200)}"
    return shorten(str(error), MAX_MESSAGE)


def _keep_cell_frames(report, seen=None):
    """Leaves the lines of cells in a traceback, in those of causes and groups, too."""
    seen = set() if seen is None else seen
    if report is None or id(report) in seen:
        return
    seen.add(id(report))
    if report.stack is not None:
        frames = [frame for frame in report.stack if frame.filename.startswith("<cell ")]
        report.stack = traceback.StackSummary.from_list(frames) if frames else None
    _keep_cell_frames(report.__cause__, seen)
    _keep_cell_frames(report.__context__, seen)
    for inner in report.exceptions or ():
        _keep_cell_frames(inner, seen)


def _cell_lines(lines):
    """A traceback of those of its frames that are a cell's, the innermost `MAX_FRAMES` of them."""
    own = []
    while lines is not None:
        if lines.tb_frame.f_code.co_filename.startswith("<cell "):
            own.append(lines)
        lines = lines.tb_next
    following = None
    for entry in reversed(own[-MAX_FRAMES:]):
        following = types.TracebackType(following, entry.tb_frame, entry.tb_lasti, entry.tb_lineno)
    return following


def _traceback(error, limit):
    lines = _cell_lines(error.__traceback__)
    report = traceback.TracebackException(type(error), error, lines, limit=-MAX_FRAMES, compact=True)
    _keep_cell_frames(report)
    return shorten("".join(report.format()).rstrip("\n"), limit)


def describe(error, limit, *, compiling=False):
    """A CellError for an exception. Never raises, whatever the exception's own methods do."""
    kind = "syntax" if compiling and isinstance(error, (SyntaxError, ValueError)) else _kind(error)
    name = type(error).__name__
    described = {"kind": kind, "name": name, "message": "", "traceback": ""}
    # str() of an exception is code of the guest: it may raise, and it may run for ever.
    bridge.arm(True, True)
    try:
        described["message"] = _message(error)
        described["traceback"] = _traceback(error, limit)
    except BaseException as second:
        described["message"] = described["message"] or f"(its text cannot be shown: {type(second).__name__})"
        described["traceback"] = described["traceback"] or f"{name}: {described['message']}"
    finally:
        bridge.arm(False)
    return described
