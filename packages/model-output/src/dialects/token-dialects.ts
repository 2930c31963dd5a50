import { readElement, readFunctionElement, readInvoke } from "./element-calls.js";
import { readJsonList, readMistral, readNamedJson, readSections } from "./json-calls.js";
import type { TokenDialect } from "./token-reading.js";

/**
 * The marks that models are trained to write calls with. Servers usually turn them into native calls; models also
 * write them as text, when the server's template is another model's or when they fall back to what they know.
 * The forms are those of the models' chat templates.
 */
export const tokenDialects: readonly TokenDialect[] = [
  {
    models: "Hermes 2 Pro, Qwen 2.5 and 3 (JSON); GLM 4.5 (arg_key); Seed-OSS, MiniMax M2 (as a container)",
    form: '<tool_call>{"name": …, "arguments": {…}}</tool_call>',
    opener: "<(?:tool_call|toolcall|function_call|tool_use|minimax:tool_call|seed:tool_call)>",
    read: readElement,
  },
  {
    models: "Qwen3-Coder, Nemotron 3, Seed-OSS (parameters); Llama 3.1 custom calls (JSON)",
    form: "<function=NAME><parameter=KEY>value</parameter></function>",
    opener: "<function(?:=|\\s+name=)[\"']?(?<functionName>[^\"'<>\\s]{1,128})[\"']?\\s?>",
    read: readFunctionElement,
  },
  {
    models: "Anthropic models, MiniMax M2, Kimi K2 (fallback), DeepSeek V3.2",
    form: '<invoke name="NAME"><parameter name="KEY">value</parameter></invoke>',
    opener:
      "<(?<invokePrefix>[｜|]DSML[｜|]|antml:|minimax:)?invoke\\s+name=[\"']?(?<invokeName>[^\"'<>\\s]{1,128})[\"']?\\s?>",
    read: readInvoke,
  },
  {
    models: "Mistral and Devstral, all tokenizers since v3",
    form: '[TOOL_CALLS][{"name": …, "arguments": {…}}], [TOOL_CALLS]NAME[ARGS]{…}',
    opener: "\\[TOOL_CALLS\\]",
    read: readMistral,
  },
  {
    models:
      "Llama 3.1 and later (python_tag); Granite 3, Phi-4-mini (tool_call, functools); Command R7B and A (START_ACTION)",
    form: '<|python_tag|>{"name": …, "parameters": {…}}',
    opener: "<\\|(?:python_tag|tool_call|START_ACTION)\\|>|(?<![\\p{L}\\p{N}_])functools(?=\\[\\s*\\{)",
    read: readJsonList,
  },
  {
    models: "DeepSeek V3, R1 and V3.1 (tool▁sep); Kimi K2 (tool_call_argument_begin)",
    form: "<｜tool▁call▁begin｜>NAME<｜tool▁sep｜>{…}<｜tool▁call▁end｜>",
    opener: "<[｜|]tool[▁_]call[▁_]begin[｜|]>",
    read: readSections,
  },
  {
    models: "Kimi K2, when its marks are lost",
    form: "functions.NAME:0{…}",
    opener: "(?<![^\\r\\n>])functions\\.(?<indexedName>[\\w.-]{1,128}):\\d{1,4}\\s{0,4}(?=\\{)",
    read: readNamedJson,
  },
];
