/** A kind of server that speaks the OpenAI API. */
export interface Preset {
  /** As messages name it. */
  name: string;
  /** @default none: it must be given */
  baseUrl?: string;
  /** Whether it is a service of others unless its address is private. */
  hosted: boolean;
  /** How to bring it up. */
  startHint: string;
}

/** The servers that are registered, by engine id. */
export const presets = {
  openai: {
    name: "OpenAI",
    baseUrl: "https://api.openai.com/v1",
    hosted: true,
    startHint: "Check the network and OPENAI_BASE_URL, or choose another engine with --engine.",
  },
  vllm: {
    name: "vLLM",
    baseUrl: "http://127.0.0.1:8000/v1",
    hosted: false,
    startHint: "Start it with `vllm serve MODEL`, or set VLLM_BASE_URL.",
  },
  sglang: {
    name: "SGLang",
    baseUrl: "http://127.0.0.1:30000/v1",
    hosted: false,
    startHint: "Start it with `python -m sglang.launch_server --model-path MODEL`, or set SGLANG_BASE_URL.",
  },
  llamacpp_server: {
    name: "llama.cpp server",
    baseUrl: "http://127.0.0.1:8080/v1",
    hosted: false,
    startHint: "Start it with `llama-server -m MODEL.gguf --jinja`, or set LLAMACPP_SERVER_BASE_URL.",
  },
  lmstudio: {
    name: "LM Studio",
    baseUrl: "http://127.0.0.1:1234/v1",
    hosted: false,
    startHint: "Start it with `lms server start`, or set LMSTUDIO_BASE_URL.",
  },
} as const satisfies Record<string, Preset>;

/** The preset of an engine id; ids without one stand for any server, at an address that must be given. */
export function presetFor(engineId: string): Preset {
  const known: Record<string, Preset> = presets;
  if (Object.hasOwn(known, engineId)) return known[engineId] as Preset;
  return {
    name: engineId,
    hosted: true,
    startHint: "Check that the server runs and that its base URL is right.",
  };
}
