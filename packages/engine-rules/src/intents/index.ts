import type { Intent } from "../plan.js";
import { arithmetic } from "./arithmetic.js";
import { code } from "./code.js";
import { file } from "./file.js";
import { greeting } from "./greeting.js";
import { recall } from "./recall.js";
import { summary } from "./summary.js";

/** The kinds of questions the engine answers; the first that recognises one plans it. */
export const intents: readonly Intent[] = [code, arithmetic, file, recall, summary, greeting];
