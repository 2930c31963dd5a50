"""Functions of the host, callable with and without `await`.

A call without `await` blocks this interpreter until the host answers. A call that is awaited, or that stands where
something awaits it (see `rewrite`), is begun at once and awaited later, so that many run at the same time.
"""

import asyncio
import builtins
import collections.abc
import json

from _openjarvis import bridge

MAX_ARGUMENTS = 16_000_000
"""Most characters of the arguments of one call."""


class HostError(RuntimeError):
    """What a host function threw."""


class HostCallLimit(BaseException):
    """The cell made more calls of host functions than it may; `except Exception` does not hold it."""


class Interrupted(KeyboardInterrupt):
    """The host stops the cell while it waits."""


for _public in (HostError, HostCallLimit, Interrupted):
    _public.__module__ = "builtins"

_numbers = 0
_waiting = {}
"""Futures by the number of the call they wait for."""
_answers = {}
"""Answers nobody has asked for yet."""
_open = set()
"""Calls that are not answered."""


def pending():
    """How many calls the host has not answered."""
    return len(_open)


def forget():
    """Drops all calls: the cell that made them is over."""
    _waiting.clear()
    _answers.clear()
    _open.clear()


def pump(milliseconds):
    """Waits for the host, and hands out what arrived. True when the cell has to stop."""
    stop = bridge.wait(milliseconds)
    while (arrived := bridge.take()) is not None:
        number, status, body = arrived
        if number not in _open:
            continue
        _open.discard(number)
        answer = (status, bridge.text_of(body))
        future = _waiting.pop(number, None)
        if future is None:
            _answers[number] = answer
        elif not future.done():
            future.set_result(answer)
    return stop


def _value(answer):
    status, text = answer
    if status == "text":
        return text
    if status == "json":
        return json.loads(text)
    raise HostCallLimit(text) if status == "limit" else HostError(text)


def _arguments(name, args, kwargs):
    values = [*args, kwargs] if kwargs else args
    try:
        text = json.dumps(values, allow_nan=False, ensure_ascii=False)
    except (TypeError, ValueError) as error:
        raise TypeError(f"{name}() takes JSON values only (str, int, float, bool, None, list, dict): {error}") from None
    if len(text) > MAX_ARGUMENTS:
        raise ValueError(f"the arguments of {name}() have {len(text)} characters as JSON; at most {MAX_ARGUMENTS} can be passed")
    return text


class PendingCall(collections.abc.Coroutine):
    """A call of a host function that was begun. Await it, or ask for its `result()`."""

    def __init__(self, name, args, kwargs):
        global _numbers
        text = _arguments(name, args, kwargs)
        _numbers += 1
        self._name = name
        self._number = _numbers
        self._answer = None
        self._waiter = None
        _open.add(self._number)
        bridge.call(self._number, name, text)

    def __repr__(self):
        return f"<{self._name}() is running; await it to get its result>"

    def _arrived(self):
        if self._answer is None:
            self._answer = _answers.pop(self._number, None)
        return self._answer is not None

    def result(self):
        """Waits for the answer without letting anything else run."""
        while not self._arrived():
            if self._number not in _open:
                raise HostError(f"the cell that called {self._name}() is over")
            if pump(-1):
                raise Interrupted(f"stopped while waiting for {self._name}()")
        return _value(self._answer)

    async def _wait(self):
        if not self._arrived():
            if self._number not in _open:
                raise HostError(f"the cell that called {self._name}() is over")
            future = asyncio.get_running_loop().create_future()
            _waiting[self._number] = future
            self._answer = await future
        return _value(self._answer)

    def __await__(self):
        return self._wait().__await__()

    def send(self, value):
        if self._waiter is None:
            self._waiter = self._wait()
        return self._waiter.send(value)

    def throw(self, *error):
        if self._waiter is None:
            self._waiter = self._wait()
        return self._waiter.throw(*error)

    def close(self):
        if self._waiter is not None:
            self._waiter.close()


class HostFunction:
    """A function of the host."""

    def __init__(self, name):
        self.__name__ = self.__qualname__ = name

    def __repr__(self):
        return f"<host function {self.__name__}>"

    def __call__(self, *args, **kwargs):
        return PendingCall(self.__name__, args, kwargs).result()

    def start(self, *args, **kwargs):
        """Begins a call that is awaited later."""
        return PendingCall(self.__name__, args, kwargs)


def start(function, /, *args, **kwargs):
    """Stands for a call that something awaits; `rewrite` puts it there."""
    return function.start(*args, **kwargs) if isinstance(function, HostFunction) else function(*args, **kwargs)


async def finish(function, /, *args, **kwargs):
    """Stands for a call in an async function that lacks its `await`; `rewrite` puts it there."""
    if isinstance(function, HostFunction):
        return await function.start(*args, **kwargs)
    return function(*args, **kwargs)


def starter(function):
    """Stands for a function that is passed to something that awaits its results."""
    return function.start if isinstance(function, HostFunction) else function


def install():
    """Puts what `rewrite` refers to where every namespace finds it."""
    builtins.__host_start__ = start
    builtins.__host_finish__ = finish
    builtins.__host_starter__ = starter
