/** Who speaks in a conversation. */
export type Role = "system" | "user" | "assistant" | "tool";

/** A tool call as a model asked for it. `arguments` is JSON text, as the OpenAI function-calling format has it. */
export interface ToolCall {
  /** Unique within a run; the tool's reply repeats it as {@link Message.toolCallId}. */
  id: string;
  name: string;
  arguments: string;
}

/** One message of a conversation. */
export interface Message {
  role: Role;
  /** Text; `null` (an assistant turn that only calls tools) counts as empty. */
  content: string | null;
  /** For `tool` messages: the name of the tool that answers. */
  name?: string;
  /** For `assistant` messages: the calls the model asked for. */
  toolCalls?: ToolCall[];
  /** For `tool` messages: the id of the call that is answered. */
  toolCallId?: string;
  /** Reasoning the model gave apart from its answer. */
  reasoning?: string;
  /** Base64-encoded images, without a `data:` prefix. */
  images?: string[];
  metadata?: Record<string, unknown>;
}

/** The text of a message, with `null` as the empty string. */
export function textOf(message: Message): string {
  return message.content ?? "";
}

/** A history of messages. */
export class Conversation {
  readonly messages: Message[];

  constructor(messages: readonly Message[] = []) {
    this.messages = [...messages];
  }

  /** Appends a message and returns the conversation, so that calls chain. */
  add(message: Message): this {
    this.messages.push(message);
    return this;
  }

  /** The last `count` messages; an empty list when `count` is not positive. */
  window(count: number): Message[] {
    return count > 0 ? this.messages.slice(-count) : [];
  }
}
