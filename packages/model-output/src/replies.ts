export { type CoercedArguments, type CoerceOptions, coerceArguments } from "./coerce-arguments.js";
export { tokenDialects } from "./dialects/token-dialects.js";
export { type CodeBlock, extractCodeBlocks } from "./fences.js";
export { findJsonObjects, type JsonSpan } from "./json-scan.js";
export { type LooseJson, type LooseJsonOptions, parseLooseJson } from "./loose-json.js";
export type { ParametersSchema } from "./parameters-schema.js";
export { parseReply } from "./reply.js";
export { replyForms } from "./reply-forms.js";
export type {
  CallsReply,
  CodeReply,
  Dialect,
  DialectSet,
  FinalReply,
  MalformedReply,
  Reply,
  ReplyCall,
  ReplyOptions,
  ReplyProblem,
  ReplyTool,
} from "./reply-types.js";
export { type ResolvedName, resolveToolName } from "./tool-name.js";
