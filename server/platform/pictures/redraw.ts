import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";

import { SECOND_IN_MS } from "../clock.ts";

export type Redrawn = { ok: true; bytes: Uint8Array } | { ok: false; reason: RedrawRefusal };

/** In pixels; quality of 100. */
export type Frame = { width: number; height: number; quality: number };

export type RedrawRefusal = "unsupported" | "too-many-pixels" | "unreadable";

export type Errand = { kind: PictureKind; frame: Frame; limits: Limits; exits: typeof exits };

type Limits = { pixels: number; cpuInMs: number; memoryInBytes: number };

const limits: Limits = {
  /** As many as today's telephones make (50 megapixels). */
  pixels: 52_000_000,
  /** Ordinary files take a second at most; the rest is for slow machines. */
  cpuInMs: 5 * SECOND_IN_MS,
  /** Two and a half times what an ordinary photo takes, Node included. */
  memoryInBytes: 450_000_000,
};

/** Exit codes for a faulty picture; Node itself does not use these numbers. */
const exits = { tooManyPixels: 64, unreadable: 65 } as const;

const script = fileURLToPath(new URL("./redraw-process.js", import.meta.url));

/** The process ends itself long before, unless it gets no processor time at all. */
const PATIENCE_IN_MS = 60 * SECOND_IN_MS;
/** Many times the size of the largest WebP. */
const MAX_OUTPUT_BYTES = 4 * 1024 * 1024;

/** `cpuInMs` is for tests. */
type RedrawOptions = { frame: Frame; cpuInMs?: number };

/**
 * Re-encodes a picture as WebP that contains nothing of the file but its pixels. A process without secrets does it,
 * because a drawing of a few bytes can need hours and gigabytes, the decoder cannot be interrupted, and its faults kill
 * the process.
 * @throws when the process cannot be started or fails on its own.
 */
export function redraw(
  bytes: Uint8Array,
  kind: PictureKind,
  { frame, cpuInMs = limits.cpuInMs }: RedrawOptions,
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
    // The callback above handles how a process ended.
    child.stdin?.on("error", () => undefined).end(bytes);
  });
}

/** The signals that kill a process when its native code fails. */
const decoderFaults = new Set(["SIGSEGV", "SIGBUS", "SIGABRT", "SIGILL", "SIGFPE", "SIGTRAP"]);

type Ending = { code?: number | string | null | undefined; signal?: string | null | undefined };

function refusalFor({ code, signal }: Ending, kind: PictureKind): RedrawRefusal | undefined {
  if (code === exits.tooManyPixels) return "too-many-pixels";
  // The picture exceeded a limit: an SVG by its content, any other by its number of pixels.
  if (signal === "SIGKILL") return kind === "svg" ? "unreadable" : "too-many-pixels";
  if (code !== exits.unreadable && !decoderFaults.has(signal ?? "")) return undefined;
  // HEIC from telephones needs a decoder that is not free, so most builds have none.
  return kind === "heic" ? "unsupported" : "unreadable";
}

export type PictureKind = "jpeg" | "png" | "gif" | "webp" | "avif" | "heic" | "svg";

/** `undefined`: nothing of it is decoded. */
export function findPictureKind(bytes: Uint8Array): PictureKind | undefined {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, HEAD_BYTES)).toString("latin1");
  for (const [kind, signature] of signatures) if (head.startsWith(signature)) return kind;
  if (head.startsWith("RIFF") && head.startsWith("WEBP", 8)) return "webp";
  return findFilmKind(head) ?? (isSvg(head) ? "svg" : undefined);
}

/** As much as drawing programs write before the first element of an SVG. */
const HEAD_BYTES = 64 * 1024;

const signatures: [PictureKind, string][] = [
  ["jpeg", "\xff\xd8\xff"],
  ["png", "\x89PNG\r\n\x1a\n"],
  ["gif", "GIF87a"],
  ["gif", "GIF89a"],
];

/** AVIF and HEIC use the container of MP4 films; its first box names the formats (ISO/IEC 23008-12). */
function findFilmKind(head: string): "avif" | "heic" | undefined {
  // The length of the box precedes its name; its second four bytes are a version, not a brand.
  if (!head.startsWith("\0\0\0") || !head.startsWith("ftyp", 4)) return undefined;
  const brands = (head.slice(8, head.charCodeAt(3)).match(/[^]{4}/g) ?? []).filter((_, index) => index !== 1);
  if (brands.some((brand) => brand === "avif" || brand === "avis")) return "avif";
  return brands.some((brand) => /^(?:he[iv][cmsx]|mif1|msf1)$/.test(brand)) ? "heic" : undefined;
}

/** The parts that may precede the first element of XML: blanks, instructions, comments, a document type. */
const prologue = /\s*(?:<\?[^]*?\?>|<!--[^]*?-->|<!DOCTYPE[^[>]*(?:\[[^]*?\]\s*)?>)/y;
const svgElement = /\s*<(?:[\w.-]+:)?svg[\s/>]/y;

/** XML in an encoding that contains ASCII: UTF-16 and zipped SVG are refused, as no browser's file dialogue offers them. */
function isSvg(head: string): boolean {
  let at = head.startsWith("\xef\xbb\xbf") ? 3 : 0;
  for (;;) {
    prologue.lastIndex = at;
    if (!prologue.test(head)) break;
    at = prologue.lastIndex;
  }
  svgElement.lastIndex = at;
  return svgElement.test(head);
}
