import type {
  ConfirmCallback,
  EventBus,
  InferenceEngine,
  Message,
  ModelInfo,
  ToolResult,
} from "@openjarvis/core";
import { describe, expectTypeOf, it } from "vitest";
import type * as sdk from "../src/index.js";
import type {
  AskOptions,
  AskResult,
  ConfigProblem,
  Jarvis,
  JarvisOptions,
  JarvisSystem,
  LoadedConfig,
  SystemBuilder,
} from "../src/index.js";

describe("the public types", () => {
  it("of Jarvis are what the documents promise", () => {
    expectTypeOf<Jarvis["ask"]>().toEqualTypeOf<(query: string, options?: AskOptions) => Promise<string>>();
    expectTypeOf<Jarvis["askFull"]>().toEqualTypeOf<
      (query: string, options?: AskOptions) => Promise<AskResult>
    >();
    expectTypeOf<Jarvis["askStream"]>().returns.toEqualTypeOf<AsyncIterableIterator<string>>();
    expectTypeOf<Jarvis["listModels"]>().returns.toEqualTypeOf<Promise<ModelInfo[]>>();
    expectTypeOf<Jarvis["bus"]>().toEqualTypeOf<EventBus>();
    expectTypeOf<Jarvis>().toExtend<AsyncDisposable>();
    expectTypeOf<JarvisSystem>().toExtend<AsyncDisposable>();
    expectTypeOf<SystemBuilder["build"]>().returns.toEqualTypeOf<Promise<JarvisSystem>>();
  });

  it("of options and results hold what core takes and gives", () => {
    expectTypeOf<JarvisOptions["engine"]>().toEqualTypeOf<string | InferenceEngine | undefined>();
    expectTypeOf<AskOptions["confirm"]>().toEqualTypeOf<ConfirmCallback | undefined>();
    expectTypeOf<AskOptions["history"]>().toEqualTypeOf<readonly Message[] | undefined>();
    expectTypeOf<AskResult["toolResults"]>().toEqualTypeOf<ToolResult[]>();
    expectTypeOf<typeof sdk.loadConfig>().returns.toEqualTypeOf<Promise<LoadedConfig>>();
    expectTypeOf<typeof sdk.validateConfigText>().returns.toEqualTypeOf<Promise<ConfigProblem[]>>();
  });
});
