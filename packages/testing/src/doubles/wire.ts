import type { ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import type { DoubleFaults } from "./reply.js";

/** Sends frames as a body, with the faults of a reply. Settles when there is nothing more to send. */
export async function sendFrames(
  response: ServerResponse,
  frames: readonly string[],
  faults: DoubleFaults,
  head: { status: number; headers: Record<string, string> },
): Promise<void> {
  if (faults.stall === "headers") return;
  if (faults.headerDelayMs !== undefined) await sleep(faults.headerDelayMs);
  response.writeHead(head.status, head.headers);
  response.flushHeaders();
  const limit = Math.min(
    faults.stall ?? Infinity,
    faults.closeAfter ?? Infinity,
    faults.endAfter ?? Infinity,
  );
  const shown = frames.slice(0, limit);
  if (faults.lastNewline === false && shown.length > 0) shown.push((shown.pop() ?? "").replace(/\n+$/, ""));
  await writeFrames(response, shown, faults);
  if (faults.closeAfter !== undefined) response.destroy();
  else if (faults.stall === undefined && faults.keepOpen !== true) response.end();
}

async function writeFrames(
  response: ServerResponse,
  frames: readonly string[],
  faults: DoubleFaults,
): Promise<void> {
  for (const { bytes, frame } of writesOf(frames, faults.chunking ?? "frame")) {
    await faults.waitBefore?.(frame);
    if (faults.chunkDelayMs !== undefined) await sleep(faults.chunkDelayMs);
    if (response.destroyed) return;
    await new Promise<void>((resolve) => response.write(bytes, () => resolve()));
    // Without a pause the kernel may join small writes into one chunk on the other side.
    if (typeof faults.chunking === "number") await sleep(0);
  }
}

interface Write {
  bytes: Buffer;
  /** The number of the first frame in it. */
  frame: number;
}

function writesOf(frames: readonly string[], chunking: NonNullable<DoubleFaults["chunking"]>): Write[] {
  if (typeof chunking === "number") return slices(Buffer.from(frames.join("")), chunking);
  const perWrite = chunking === "frame" ? 1 : chunking === "pairs" ? 2 : Math.max(frames.length, 1);
  const writes: Write[] = [];
  for (let frame = 0; frame < frames.length; frame += perWrite) {
    writes.push({ bytes: Buffer.from(frames.slice(frame, frame + perWrite).join("")), frame });
  }
  return writes;
}

function slices(bytes: Buffer, size: number): Write[] {
  const writes: Write[] = [];
  for (let start = 0; start < bytes.length; start += size) {
    writes.push({ bytes: bytes.subarray(start, start + size), frame: 0 });
  }
  return writes;
}
