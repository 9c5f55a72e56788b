import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";

import { SECOND_IN_MS } from "../clock.ts";
import type { PictureKind } from "./picture-kind.ts";
import { PICTURE_MAX_HEIGHT, PICTURE_MAX_WIDTH } from "./rules.ts";

export type Redrawn = { ok: true; bytes: Uint8Array } | { ok: false; reason: RedrawRefusal };

/** What a picture is fitted into, in pixels, and how well it is kept, of 100. */
export type Frame = { width: number; height: number; quality: number };

export type RedrawRefusal = "unsupported" | "too-many-pixels" | "unreadable";

/** What the process is told. */
export type Errand = { kind: PictureKind; frame: Frame; limits: Limits; exits: typeof exits };

type Limits = { pixels: number; cpuInMs: number; memoryInBytes: number };

const limits: Limits = {
  /** What telephones make today (50 megapixels), and no more. */
  pixels: 52_000_000,
  /** What people have takes a second at most; the rest is for slow machines. */
  cpuInMs: 5 * SECOND_IN_MS,
  /** Two and a half times what an ordinary photo takes, Node included. */
  memoryInBytes: 450_000_000,
};

/** How the process ends when it is the picture's fault; numbers that Node itself does not use. */
const exits = { tooManyPixels: 64, unreadable: 65 } as const;

const script = fileURLToPath(import.meta.resolve("./redraw-process.js"));

/** The process ends itself long before, unless it gets no processor at all. */
const PATIENCE_IN_MS = 60 * SECOND_IN_MS;
/** Many times what WebP makes of the largest picture. */
const MAX_OUTPUT_BYTES = 4 * 1024 * 1024;

const avatarFrame: Frame = { width: PICTURE_MAX_WIDTH, height: PICTURE_MAX_HEIGHT, quality: 82 };

/** `cpuInMs` is for tests that do not wait as long as a slow machine may need. */
type RedrawOptions = { frame?: Frame; cpuInMs?: number };

/**
 * Draws a picture anew: what comes back is WebP of our own making, with nothing of the file in it but what it shows.
 * It is drawn in a process of its own, which holds no secret and may be ended at any moment: a drawing of a few bytes
 * can ask for hours and gigabytes, what draws it cannot be interrupted, and a fault in a decoder ends its process.
 *
 * @throws when the process cannot be started or fails by itself.
 */
export function redraw(
  bytes: Uint8Array,
  kind: PictureKind,
  { frame = avatarFrame, cpuInMs = limits.cpuInMs }: RedrawOptions = {},
): Promise<Redrawn> {
  const options = {
    encoding: "buffer",
    env: {},
    killSignal: "SIGKILL",
    maxBuffer: MAX_OUTPUT_BYTES,
    timeout: PATIENCE_IN_MS,
  } as const;
  const errand: Errand = { kind, frame, limits: { ...limits, cpuInMs }, exits };
  return new Promise((resolve, reject) => {
    const child = execFile(process.execPath, [script, JSON.stringify(errand)], options, (error, drawn, complaints) => {
      if (!error) return resolve({ ok: true, bytes: drawn });
      const reason = refusalFor(error, kind);
      if (reason) return resolve({ ok: false, reason });
      reject(new Error(`a picture could not be drawn: ${complaints.toString().slice(0, 2000)}`, { cause: error }));
    });
    // One that has ended itself reads no further; how it ended is told above.
    child.stdin?.on("error", () => undefined).end(bytes);
  });
}

/** How a process ends in whose native code something went wrong. */
const decoderFaults = new Set(["SIGSEGV", "SIGBUS", "SIGABRT", "SIGILL", "SIGFPE", "SIGTRAP"]);

type Ending = { code?: number | string | null | undefined; signal?: string | null | undefined };

function refusalFor({ code, signal }: Ending, kind: PictureKind): RedrawRefusal | undefined {
  if (code === exits.tooManyPixels) return "too-many-pixels";
  // A picture took more than its share: a drawing of what stands in it, any other of its pixels.
  if (signal === "SIGKILL") return kind === "svg" ? "unreadable" : "too-many-pixels";
  if (code !== exits.unreadable && !decoderFaults.has(signal ?? "")) return undefined;
  // What telephones call HEIC needs a decoder that is not free, so that most builds have none.
  return kind === "heic" ? "unsupported" : "unreadable";
}
