export type { ServerIdentity } from "./connection-error.js";
export { type ChunkInspector, HttpReply } from "./reply.js";
export {
  type RefusalContext,
  readRefusal,
  refusalError,
  refusalOf,
  type ServerRefusal,
} from "./status-error.js";
export { addressOf, type HttpCall, type HttpCallOptions, HttpTransport } from "./transport.js";
export { vectorsOf } from "./vectors.js";
