"""The four functions of the host process's side that everything else is built on; `connect` sets them.

write(stream, text, skipped, tail)   adds to stdout (1) or stderr (2)
call(number, name, arguments)        begins a call of a host function; the arguments are a JSON array
wait(milliseconds)                   blocks until something arrives; negative: without an end. True: stop the cell
take()                               the next thing that arrived: (call number, status, text); None when there is none
arm(armed, report)                   whether code of the guest runs: it is interrupted and held to its memory; where it
                                     runs for a report about a cell, it has a while before it is interrupted
"""

write = call = wait = take = arm = None


def connect(functions):
    globals().update(functions.to_py(depth=1))


def text_of(body):
    """The text of a body: short ones arrive as str, long ones as a JavaScript array of UTF-8."""
    return body if isinstance(body, str) else str(body.to_bytes(), "utf-8")
