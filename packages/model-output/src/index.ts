export { ReasoningSplitter, type SplitText, type StreamPiece, splitReasoning } from "./reasoning.js";
