"""An asyncio event loop that waits on the host instead of on sockets.

Nothing of JavaScript's event loop is involved: all waits are one blocking read, so that asyncio works the same on every
Node version, inside and outside of a running loop.
"""

import asyncio
import concurrent.futures
import concurrent.futures.thread
import time

from _openjarvis import bridge, hostcalls
from _openjarvis.hostcalls import HostFunction, Interrupted

POLL = 0.005
"""Seconds after which a loop that always has work looks for answers of the host."""

CLEANUP = 0.2
"""Seconds the tasks that a cell leaves behind have to end."""


class DidNotFinish(RuntimeError):
    """The cell awaits something that nothing will ever complete."""


DidNotFinish.__module__ = "builtins"
_never = "the cell did not finish: it awaits something that nothing will complete"


class _HostSelector:
    """What the loop waits with; the signature is that of `selectors`."""

    def __init__(self, loop):
        self._loop = loop
        self._pumped = 0.0

    def select(self, timeout=None):
        if timeout is None and hostcalls.pending() == 0:
            self._loop.give_up(DidNotFinish(_never))
        elif timeout is None:
            self._pump(-1)
        elif timeout > 0:
            self._pump(max(1, int(timeout * 1000 + 0.5)))
        elif hostcalls.pending() > 0 and time.monotonic() - self._pumped > POLL:
            self._pump(0)
        return []

    def _pump(self, milliseconds):
        stop = hostcalls.pump(milliseconds)
        self._pumped = time.monotonic()
        if stop:
            self._loop.give_up(Interrupted("stopped while waiting"))

    def close(self):
        pass


class HostLoop(asyncio.BaseEventLoop):
    """The event loop of a session."""

    def __init__(self):
        super().__init__()
        self._selector = _HostSelector(self)
        self._main = None
        self._reason = None
        self.spoiled = False
        """Whether it holds tasks that must not run again."""

    def run_until_complete(self, future):
        self._main = asyncio.ensure_future(future, loop=self)
        self._reason = None
        try:
            return super().run_until_complete(self._main)
        except asyncio.CancelledError as error:
            if self._reason is None:
                raise
            raise self._reason.with_traceback(error.__traceback__) from None
        finally:
            self._main = None

    def give_up(self, reason):
        """Cancels what the loop runs, so that the error shows where it waited; insists when that was caught before."""
        if self._reason is None and self._main is not None and not self._main.done():
            self._reason = reason
            self._main.cancel()
        else:
            raise reason

    def finish(self):
        """Cancels the tasks that are left and gives their number. What does not end then never runs again."""
        tasks = [task for task in asyncio.all_tasks(self) if not task.done()]
        self.spoiled = bool(tasks)
        for task in tasks:
            task._log_destroy_pending = False
            task.cancel()
        if tasks:
            _, left = self.run_until_complete(asyncio.wait(tasks, timeout=CLEANUP))
            self.spoiled = bool(left)
        return len(tasks)

    def run_in_executor(self, executor, function, *args):
        """There are no threads: the function runs at once, a host function in the background."""
        if isinstance(function, HostFunction):
            return asyncio.ensure_future(function.start(*args), loop=self)
        future = self.create_future()
        try:
            future.set_result(function(*args))
        except Exception as error:
            future.set_exception(error)
        return future

    def _process_events(self, events):
        pass

    def _write_to_self(self):
        pass


class HostExecutor(concurrent.futures.Executor):
    """Takes the place of ThreadPoolExecutor: host functions run at the same time, everything else at once."""

    def __init__(self, max_workers=None, *_args, **_kwargs):
        self._max_workers = max_workers

    def submit(self, function, /, *args, **kwargs):
        if isinstance(function, HostFunction):
            return _CallFuture(function.start(*args, **kwargs))
        future = concurrent.futures.Future()
        try:
            future.set_result(function(*args, **kwargs))
        except Exception as error:
            future.set_exception(error)
        return future


class _CallFuture(concurrent.futures.Future):
    """The future of a call of a host function."""

    def __init__(self, call):
        super().__init__()
        self._call = call

    def _settle(self):
        if not super().done():
            try:
                self.set_result(self._call.result())
            except Exception as error:
                self.set_exception(error)

    def done(self):
        self._settle()
        return True

    def result(self, timeout=None):
        self._settle()
        return super().result(0)

    def exception(self, timeout=None):
        self._settle()
        return super().exception(0)

    def add_done_callback(self, function):
        self._settle()
        super().add_done_callback(function)


def _as_completed(futures, timeout=None):
    yield from list(dict.fromkeys(futures))


def _wait(futures, timeout=None, return_when=concurrent.futures.ALL_COMPLETED):
    futures = set(futures)
    for future in futures:
        future.done()
    return concurrent.futures._base.DoneAndNotDoneFutures(futures, set())


async def _to_thread(function, /, *args, **kwargs):
    if isinstance(function, HostFunction):
        return await function.start(*args, **kwargs)
    return function(*args, **kwargs)


def _sleep(seconds):
    if seconds < 0:
        raise ValueError("sleep length must be non-negative")
    end = time.monotonic() + seconds
    while (left := end - time.monotonic()) > 0:
        if hostcalls.pump(max(1, int(left * 1000 + 0.5))):
            raise Interrupted("stopped while sleeping")


def _run(main, *, debug=None, loop_factory=None):
    """asyncio.run, which here also works inside a running loop."""
    outer = asyncio._get_running_loop()
    task = asyncio.tasks._swap_current_task(outer, None) if outer is not None else None
    asyncio._set_running_loop(None)
    try:
        with asyncio.Runner(debug=debug, loop_factory=loop_factory or HostLoop) as runner:
            return runner.run(main)
    finally:
        asyncio._set_running_loop(outer)
        if outer is not None:
            asyncio.tasks._swap_current_task(outer, task)
        asyncio.set_event_loop(outer or current)


class _Policy(asyncio.events._BaseDefaultEventLoopPolicy):
    _loop_factory = HostLoop


def install():
    """Makes asyncio, time.sleep and thread pools wait on the host."""
    asyncio.events._event_loop_policy = _Policy()
    asyncio.run = asyncio.runners.run = _run
    asyncio.to_thread = asyncio.threads.to_thread = _to_thread
    time.sleep = _sleep
    concurrent.futures.ThreadPoolExecutor = concurrent.futures.thread.ThreadPoolExecutor = HostExecutor
    concurrent.futures.as_completed = concurrent.futures._base.as_completed = _as_completed
    concurrent.futures.wait = concurrent.futures._base.wait = _wait
    renew()


def renew():
    """Makes the loop of the session the current one; a new one, when an interruption or the guest has spoiled it."""
    global current
    if current.spoiled or current.is_running() or current.is_closed():
        current = HostLoop()
    asyncio._set_running_loop(None)
    asyncio.set_event_loop(current)


current = HostLoop()
"""The loop of the session."""
