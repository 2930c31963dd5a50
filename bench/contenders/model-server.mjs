// A model server of fixed replies on loopback, speaking the OpenAI and the Ollama protocol: the first turn calls the
// calculator, the second answers. `POST /…?chunks=N` streams a text of N pieces. Sends its address to the parent.
import { createServer } from "node:http";

const call = {
  id: "call_1",
  type: "function",
  function: { name: "calculator", arguments: '{"expression":"2+2"}' },
};
const usage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 };

function pieces(count) {
  return Array.from({ length: count }, (_, index) => `word${index} `);
}

function openAiChunks(answered, count) {
  const chunk = (delta, finish = null) => ({
    id: "chat_1",
    object: "chat.completion.chunk",
    created: 0,
    model: "m",
    choices: [{ index: 0, delta, finish_reason: finish }],
  });
  if (count > 0) return [...pieces(count).map((content) => chunk({ content })), chunk({}, "stop")];
  if (answered) return [chunk({ role: "assistant", content: "The answer is 4." }), chunk({}, "stop")];
  return [chunk({ role: "assistant", tool_calls: [{ index: 0, ...call }] }), chunk({}, "tool_calls")];
}

function ollamaLines(answered, count) {
  const line = (message, done = false) => ({ model: "m", created_at: "2026-01-01T00:00:00Z", message, done });
  const end = {
    ...line({ role: "assistant", content: "" }, true),
    done_reason: "stop",
    prompt_eval_count: 10,
    eval_count: 5,
  };
  if (count > 0) return [...pieces(count).map((content) => line({ role: "assistant", content })), end];
  if (answered) return [line({ role: "assistant", content: "The answer is 4." }), end];
  const fn = { name: "calculator", arguments: { expression: "2+2" } };
  return [line({ role: "assistant", content: "", tool_calls: [{ function: fn }] }), end];
}

const server = createServer((request, response) => {
  const chunks = [];
  request.on("data", (chunk) => chunks.push(chunk));
  request.on("end", () => {
    const { pathname } = new URL(request.url, "http://localhost");
    const body = chunks.length > 0 ? JSON.parse(Buffer.concat(chunks).toString()) : {};
    const answered = body.messages?.some((message) => message.role === "tool") ?? false;
    const count = Number(/^chunks(\d+)$/.exec(body.model ?? "")?.[1] ?? 0);
    if (pathname === "/v1/models")
      return json(response, { object: "list", data: [{ id: "m", object: "model" }] });
    if (pathname === "/api/tags")
      return json(response, { models: [{ name: "m", model: "m", size: 1, details: {} }] });
    if (pathname === "/api/version" || pathname === "/") return json(response, { version: "0.0.0" });
    if (pathname === "/api/show") {
      return json(response, {
        capabilities: ["completion", "tools"],
        model_info: { "llama.context_length": 8192 },
        details: {},
      });
    }
    if (pathname === "/api/chat") {
      response.writeHead(200, { "content-type": "application/x-ndjson" });
      for (const line of ollamaLines(answered, count)) response.write(`${JSON.stringify(line)}\n`);
      return response.end();
    }
    if (pathname === "/v1/chat/completions" && body.stream) {
      response.writeHead(200, { "content-type": "text/event-stream" });
      for (const chunk of openAiChunks(answered, count)) response.write(`data: ${JSON.stringify(chunk)}\n\n`);
      response.write(
        `data: ${JSON.stringify({ id: "chat_1", object: "chat.completion.chunk", created: 0, model: "m", choices: [], usage })}\n\n`,
      );
      return response.end("data: [DONE]\n\n");
    }
    if (pathname === "/v1/chat/completions") {
      const message = answered
        ? { role: "assistant", content: "The answer is 4." }
        : { role: "assistant", content: null, tool_calls: [call] };
      const choice = { index: 0, message, finish_reason: answered ? "stop" : "tool_calls" };
      return json(response, {
        id: "chat_1",
        object: "chat.completion",
        created: 0,
        model: "m",
        choices: [choice],
        usage,
      });
    }
    response.writeHead(404).end();
  });
});

function json(response, value) {
  response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(value));
}

server.listen(0, "127.0.0.1", () => process.send({ url: `http://127.0.0.1:${server.address().port}` }));
process.on("disconnect", () => process.exit());
