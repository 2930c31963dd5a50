import { native } from "./native.js";
import { plain } from "./plain.js";
import type { Protocol } from "./protocol.js";
import { textProtocols } from "./text-protocols.js";

/** The protocols the engine speaks; the first that can read a conversation is used. */
export const protocols: readonly Protocol[] = [...textProtocols, native, plain];
