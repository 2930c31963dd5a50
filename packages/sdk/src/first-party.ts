import type { RegistryKind } from "@openjarvis/core";

const scheduler = "@openjarvis/tool-scheduler";
const openai = "@openjarvis/engine-openai";

/** Which package of this project provides a name; for hints about what to install. */
export const firstPartyPackages: Readonly<Record<RegistryKind, Readonly<Record<string, string>>>> = {
  tools: {
    calculator: "@openjarvis/tool-calculator",
    think: "@openjarvis/tool-think",
    retrieval: "@openjarvis/tool-retrieval",
    llm: "@openjarvis/tool-llm",
    file_read: "@openjarvis/tool-file-read",
    web_search: "@openjarvis/tool-web-search",
    code_interpreter: "@openjarvis/tool-code-interpreter",
    schedule_task: scheduler,
    list_scheduled_tasks: scheduler,
    pause_scheduled_task: scheduler,
    resume_scheduled_task: scheduler,
    cancel_scheduled_task: scheduler,
  },
  agents: {
    simple: "@openjarvis/agent-simple",
    orchestrator: "@openjarvis/agent-orchestrator",
    native_react: "@openjarvis/agent-react",
    react: "@openjarvis/agent-react",
    native_openhands: "@openjarvis/agent-codeact",
    codeact: "@openjarvis/agent-codeact",
    rlm: "@openjarvis/agent-rlm",
    openhands: "@openjarvis/agent-openhands",
    openclaw: "@openjarvis/agent-openclaw",
  },
  engines: {
    rules: "@openjarvis/engine-rules",
    ollama: "@openjarvis/engine-ollama",
    openai,
    vllm: openai,
    sglang: openai,
    llamacpp_server: openai,
    lmstudio: openai,
    llamacpp: "@openjarvis/engine-llamacpp",
  },
  memory: { sqlite: "@openjarvis/memory-sqlite" },
  sandboxes: { javascript: "@openjarvis/sandbox-quickjs", python: "@openjarvis/sandbox-pyodide" },
  schedulers: { sqlite: "@openjarvis/scheduler-sqlite", bullmq: "@openjarvis/scheduler-bullmq" },
  observers: { sqlite: "@openjarvis/observer-sqlite", otel: "@openjarvis/observer-otel" },
};
