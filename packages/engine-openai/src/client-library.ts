/** The `openai` client, in a file of its own that is loaded at the first call. */
export { OpenAI } from "openai";
