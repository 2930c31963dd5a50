import assert from "node:assert/strict";
import { collect, type InferenceEngine, isJarvisError, type Message } from "@openjarvis/core";
import { type Check, deepFreeze, settled } from "./check.js";
import { assertAborted, assertUniform, type WithEngine } from "./engine-asserts.js";
import type { EngineReply } from "./engine-reply.js";
import { engineReplyChecks } from "./engine-reply-checks.js";

/** An engine that is ready to be asked. */
export interface EngineSubject {
  engine: InferenceEngine;
  /** The model to ask for. */
  model: string;
  /** Frees what stands behind the engine; the engine itself is closed before. */
  close?: () => Promise<unknown> | unknown;
}

/**
 * Makes an engine whose model says exactly `replies`, one for each call. With `scripted: false` the list is empty and
 * the engine answers by itself.
 */
export type MakeEngine = (replies: readonly EngineReply[]) => EngineSubject | Promise<EngineSubject>;

/** Options of {@link engineChecks}. */
export interface EngineCheckOptions {
  /** Whether the model can be made to say what a check needs. @default true */
  scripted?: boolean;
  /** What the engine is asked in checks where the answer does not matter. @default "Say hello." */
  input?: string;
  /** Makes an engine whose server cannot be reached. Left out: the engine has no server. */
  unreachable?: () => InferenceEngine | Promise<InferenceEngine>;
  /** Seconds after which a call counts as one that hangs. @default 5 */
  callSeconds?: number;
}

/**
 * What every engine must keep: one uniform answer however it is asked, errors with codes, calls that end when they are
 * cancelled, no state between calls. With a scripted model also that nothing the model says is lost or changed.
 */
export function engineChecks(makeEngine: MakeEngine, options: EngineCheckOptions = {}): Check[] {
  const { scripted = true, input = "Say hello.", callSeconds = 5, unreachable } = options;
  const hello: EngineReply = { text: ["Hello", ", world."], usage: { promptTokens: 9, completionTokens: 4 } };
  const messages: Message[] = [{ role: "user", content: input }];
  const withEngine: WithEngine = (replies, body) => async () => {
    const subject = await makeEngine(scripted ? replies : []);
    try {
      // Three calls one after the other are the most that a check makes.
      await settled(body(subject.engine, { model: subject.model }), 3 * callSeconds, "The engine");
    } finally {
      await subject.engine.close();
      await subject.close?.();
    }
  };
  const general: Check[] = [
    {
      name: "answers in the one form",
      run: withEngine([hello], async (engine, request) => {
        assert.notEqual(engine.engineId, "", "engineId is empty");
        const result = await engine.generate(messages, request);
        assertUniform(result);
        assert.notEqual(result.content, "", "the answer is empty");
      }),
    },
    {
      name: "streams the same answer that it generates",
      run: withEngine([hello, hello], async (engine, request) => {
        const whole = await engine.generate(messages, request);
        const streamed = await collect(engine.stream(messages, request), request.model);
        assertUniform(streamed);
        assert.deepEqual(streamed, whole);
      }),
    },
    {
      name: "leaves messages and options as they are",
      run: withEngine([hello], async (engine, request) => {
        await engine.generate(
          deepFreeze(structuredClone(messages)),
          deepFreeze({ ...request, stop: ["END"] }),
        );
      }),
    },
    {
      name: "answers many calls at once",
      run: withEngine(
        Array.from({ length: 6 }, () => hello),
        async (engine, request) => {
          const results = await Promise.all(
            Array.from({ length: 6 }, () => engine.generate(messages, request)),
          );
          for (const result of results) assertUniform(result);
          assert.equal(
            new Set(results.map(({ content }) => content)).size,
            1,
            "the same question got mixed answers",
          );
        },
      ),
    },
    {
      name: "can be left in the middle of a stream and asked again",
      run: withEngine([hello, hello], async (engine, request) => {
        for await (const _ of engine.stream(messages, request)) break;
        assertUniform(await engine.generate(messages, request));
      }),
    },
    {
      name: "does not answer a call that was cancelled before",
      run: withEngine([], async (engine, request) => {
        const cancelled = { ...request, signal: AbortSignal.abort() };
        await assertAborted(engine.generate(messages, cancelled), callSeconds);
        await assertAborted(collect(engine.stream(messages, cancelled), request.model), callSeconds);
      }),
    },
    {
      name: "lists models, knows its health and its models' capabilities",
      run: withEngine([], async (engine, request) => {
        for (const { id } of await engine.listModels())
          assert.ok(typeof id === "string" && id !== "", "a model has no id");
        const health = await engine.health();
        assert.equal(health.ok, true, health.detail);
        assert.notEqual(health.detail, "");
        const { contextLength = 1 } = await engine.capabilities(request.model);
        assert.ok(Number.isInteger(contextLength) && contextLength > 0, `contextLength is ${contextLength}`);
      }),
    },
    {
      name: "can be closed twice",
      run: withEngine([], async (engine) => {
        await engine.close();
        await engine.close();
      }),
    },
  ];
  if (unreachable !== undefined) {
    general.push({
      name: "says that its server cannot be reached",
      run: async () => {
        const engine = await unreachable();
        const health = await engine.health();
        assert.equal(health.ok, false, "the engine is healthy without a server");
        const isUnreachable = (error: unknown) => isJarvisError(error, "OJ_ENGINE_UNREACHABLE");
        await assert.rejects(engine.generate(messages, { model: "any" }), isUnreachable);
        await assert.rejects(engine.listModels(), isUnreachable);
        await engine.close();
      },
    });
  }
  return scripted ? [...general, ...engineReplyChecks(withEngine, callSeconds)] : general;
}
