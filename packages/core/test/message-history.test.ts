import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Conversation, estimateTokens, type Message, MessageHistory, textOf } from "../src/index.js";

const user = (content: string): Message => ({ role: "user", content });
const assistant = (content: string | null, ...ids: string[]): Message => ({
  role: "assistant",
  content,
  ...(ids.length > 0 ? { toolCalls: ids.map((id) => ({ id, name: "t", arguments: "{}" })) } : {}),
});
const tool = (id: string, content: string): Message => ({ role: "tool", content, toolCallId: id, name: "t" });
const sum = (messages: readonly Message[]) =>
  messages.reduce((total, message) => total + estimateTokens(message), 0);

describe("estimateTokens", () => {
  it("counts four characters a token and a frame", () => {
    expect(estimateTokens(user("a".repeat(40)))).toBe(14);
    expect(estimateTokens(assistant(null))).toBe(4);
    expect(estimateTokens({ ...assistant("", "id"), reasoning: "r".repeat(8) })).toBeGreaterThan(
      estimateTokens(assistant("", "id")),
    );
  });
});

describe("MessageHistory", () => {
  it("cuts nothing that fits", () => {
    const messages = [user("x".repeat(20_000)), user("the question at the end")];
    const history = new MessageHistory(messages);
    expect(history.fit(32_000)).toBe(false);
    expect(history.messages).toEqual(messages);
  });

  it("leaves the list it was made of alone", () => {
    const messages = [user("q")];
    const history = new MessageHistory(messages);
    history.add(assistant("a"));
    expect(messages).toHaveLength(1);
    expect(history.messages).toHaveLength(2);
  });

  it("shrinks old tool outputs first and keeps the last exchange whole", () => {
    const big = "o".repeat(8_000);
    const history = new MessageHistory([{ role: "system", content: "s" }, user("question")]);
    for (const id of ["1", "2", "3"]) {
      history.add(assistant("", id));
      history.add(tool(id, big));
    }
    expect(history.fit(4_000)).toBe(true);
    const outputs = history.messages
      .filter((message) => message.role === "tool")
      .map((message) => textOf(message));
    expect(outputs).toHaveLength(3);
    expect(outputs[0]).toMatch(/^o+\n\[… \d+ characters left out …\]\no+$/);
    expect(outputs[0]?.length).toBeLessThanOrEqual(2_000);
    expect(outputs[2]).toBe(big);
  });

  it("shrinks no more than it must", () => {
    const history = new MessageHistory([user("q")]);
    for (const id of ["1", "2", "3"]) {
      history.add(assistant("", id));
      history.add(tool(id, "o".repeat(4_000)));
    }
    history.fit(history.tokens - 100);
    const lengths = history.messages
      .filter((message) => message.role === "tool")
      .map((message) => textOf(message).length);
    expect(lengths).toEqual([2_000, 4_000, 4_000]);
  });

  it("then drops the oldest exchanges, calls and results together", () => {
    const history = new MessageHistory([
      { role: "system", content: "s" },
      user("old"),
      assistant("old answer"),
      user("question"),
    ]);
    for (const id of ["1", "2", "3"]) {
      history.add(assistant("x".repeat(400), id));
      history.add(tool(id, "y".repeat(300)));
    }
    history.fit(300);
    expect(history.messages.map(textOf).map((content) => content.slice(0, 8))).toEqual([
      "s",
      "question",
      "xxxxxxxx",
      "yyyyyyyy",
    ]);
    expect(history.messages.at(-1)?.toolCallId).toBe("3");
  });

  it("changes nothing when nothing may go", () => {
    const history = new MessageHistory([
      { role: "system", content: "s".repeat(4_000) },
      user("q".repeat(4_000)),
    ]);
    expect(history.fit(10)).toBe(false);
    expect(history.messages).toHaveLength(2);
  });

  const ids = fc.nat(3);
  const exchange = fc.oneof(
    fc.record({ kind: fc.constant("say" as const), size: fc.nat(3_000) }),
    fc.record({ kind: fc.constant("ask" as const), size: fc.nat(3_000) }),
    fc.record({ kind: fc.constant("call" as const), size: fc.nat(6_000), calls: ids }),
    fc.record({ kind: fc.constant("system" as const), size: fc.nat(100) }),
  );
  type Exchange = { kind: "say" | "ask" | "call" | "system"; size: number; calls?: number };
  let counter = 0;
  function messagesOf({ kind, size, calls = 0 }: Exchange): Message[] {
    const content = `${kind[0]}`.repeat(size);
    if (kind === "say") return [assistant(content)];
    if (kind === "ask") return [user(content)];
    if (kind === "system") return [{ role: "system", content }];
    const callIds = Array.from({ length: calls + 1 }, () => {
      counter += 1;
      return `call_${counter}`;
    });
    return [assistant("", ...callIds), ...callIds.map((id) => tool(id, content))];
  }

  it("keeps its promises for any history and budget", () => {
    const before = fc.array(exchange, { maxLength: 8 });
    const after = fc.array(
      exchange.filter(({ kind }) => kind !== "system"),
      { maxLength: 8 },
    );
    fc.assert(
      fc.property(before, after, fc.nat(8_000), (context, turns, budget) => {
        const question = user("the question itself");
        const history = new MessageHistory([...context.flatMap(messagesOf), question]);
        for (const message of turns.flatMap(messagesOf)) history.add(message);
        const original = [...history.messages];
        const changed = history.fit(budget);

        const { messages } = history;
        expect(messages).toContain(question);
        const systems = (list: readonly Message[]) => list.filter((message) => message.role === "system");
        expect(systems(messages)).toEqual(systems(original));
        expect(history.tokens).toBe(sum(messages));
        expect(changed).toBe(sum(messages) < sum(original));
        if (sum(original) <= budget) expect(messages).toEqual(original);

        // A result directly follows its call, and a call that is kept has all its results.
        let open: string[] = [];
        for (const message of messages) {
          if (message.role === "tool") expect(open.shift()).toBe(message.toolCallId);
          else {
            expect(open).toEqual([]);
            open = (message.toolCalls ?? []).map((call) => call.id);
          }
        }
        expect(open).toEqual([]);

        // What is left is in the old order, and the last exchange is whole.
        const same = (a: Message, b: Message) =>
          a === b || (a.role === "tool" && a.toolCallId === b.toolCallId);
        let at = -1;
        for (const message of messages) {
          at = original.findIndex((candidate, index) => index > at && same(candidate, message));
          expect(at).toBeGreaterThanOrEqual(0);
        }
        const last = original.findLastIndex((message) => message.role === "assistant");
        if (last > original.indexOf(question)) {
          const tail = original.slice(last);
          expect(messages.slice(-tail.length)).toEqual(tail);
        }
      }),
      { numRuns: 500 },
    );
  });

  it("comes under the budget when the rest of the history can go", () => {
    fc.assert(
      fc.property(
        fc.array(exchange, { minLength: 1, maxLength: 10 }),
        fc.integer({ min: 400, max: 3_000 }),
        (context, budget) => {
          const old = context.filter(({ kind }) => kind !== "system").flatMap(messagesOf);
          const history = new MessageHistory([...old, user("question")]);
          history.add(assistant("", "last"));
          history.add(tool("last", "result"));
          history.fit(budget);
          expect(history.tokens).toBeLessThanOrEqual(budget);
        },
      ),
    );
  });
});

describe("Conversation", () => {
  it("is a list of its own that grows by chained calls", () => {
    const messages = [user("a")];
    const conversation = new Conversation(messages).add(assistant("b")).add(user("c"));
    expect(conversation.messages.map(textOf)).toEqual(["a", "b", "c"]);
    expect(messages).toHaveLength(1);
  });

  it.each<[number, string[]]>([
    [2, ["b", "c"]],
    [9, ["a", "b", "c"]],
    [0, []],
    [-1, []],
    [Number.NaN, []],
  ])("shows its last %f messages", (count, expected) => {
    const conversation = new Conversation([user("a"), assistant("b"), user("c")]);
    expect(conversation.window(count).map(textOf)).toEqual(expected);
  });

  it("reads no content as the empty text", () => {
    expect(textOf(assistant(null))).toBe("");
  });
});

describe("observations of agents that speak in text", () => {
  const long = "x".repeat(8_000);

  it("shrink like the outputs of tools, and go together with what they answer", () => {
    const history = new MessageHistory([{ role: "user", content: "the question" }]);
    for (const turn of [1, 2, 3]) {
      history.add({ role: "assistant", content: `Action: tool ${turn}` });
      history.addObservation({ role: "user", content: `Observation: ${turn} ${long}` });
    }
    history.fit(3_000);
    const lengths = history.messages.map(({ content }) => content?.length ?? 0);
    expect(lengths[2]).toBeLessThanOrEqual(2_000);
    expect(lengths[6]).toBeGreaterThan(8_000);
    history.fit(2_060);
    expect(history.messages.map(({ content }) => content?.slice(0, 14))).toEqual([
      "the question",
      "Action: tool 3",
      "Observation: 3",
    ]);
  });
});
