"""sys.stdout and sys.stderr of a cell."""

import io

from _openjarvis import bridge

BATCH = 8192
"""Characters that are collected before they cross to JavaScript."""
PROMPT = 32768
"""Characters of a cell that cross line by line, so that they survive a cell that has to be killed."""


class _Raw(io.RawIOBase):
    """What `sys.stdout.buffer` writes to."""

    def __init__(self, stream):
        self._stream = stream

    def writable(self):
        return True

    def write(self, data):
        self._stream.write(str(bytes(data), "utf-8", "replace"))
        return len(data)


class OutputStream(io.TextIOBase):
    """A text stream whose text goes to the host, which keeps its head and its tail."""

    encoding = "utf-8"
    errors = "replace"

    def __init__(self, number, name):
        self._number = number
        self.name = name
        self._parts = []
        self._size = 0
        self._crossed = 0
        self._keep = BATCH
        self.buffer = io.BufferedWriter(_Raw(self), BATCH)

    def begin(self, keep):
        """Starts a cell, of whose texts the first and last `keep` characters are of interest."""
        self._parts.clear()
        self._size = 0
        self._crossed = 0
        self._keep = keep

    def writable(self):
        return True

    def write(self, text):
        if not isinstance(text, str):
            raise TypeError(f"write() argument must be str, not {type(text).__name__}")
        self._parts.append(text)
        self._size += len(text)
        if self._size >= BATCH or (self._crossed < PROMPT and "\n" in text):
            self.flush()
        return len(text)

    def flush(self):
        if self._size == 0:
            return
        text = "".join(self._parts)
        self._parts.clear()
        self._size = 0
        self._crossed += len(text)
        excess = len(text) - 2 * self._keep
        if excess > 0:
            bridge.write(self._number, text[: self._keep], excess, text[-self._keep :])
        else:
            bridge.write(self._number, text, 0, "")

    def finish(self):
        """Hands over what is left; never raises, whatever the guest did to the stream."""
        try:
            self.buffer.flush()
        except Exception:
            self.buffer = io.BufferedWriter(_Raw(self), BATCH)
        self.flush()

    def close(self):
        """A guest cannot close it: what runs later still needs it."""
        self.flush()

    def fileno(self):
        return self._number


stdout = OutputStream(1, "<stdout>")
stderr = OutputStream(2, "<stderr>")
