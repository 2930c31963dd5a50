/** The `ollama` client, in a file of its own that is loaded at the first call. */
export { Ollama } from "ollama/browser";
