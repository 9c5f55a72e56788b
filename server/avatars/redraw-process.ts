import { buffer } from "node:stream/consumers";
import sharp from "sharp";

import type { PictureKind } from "./picture-kind.ts";
import { exits, MAX_MEMORY_IN_BYTES, MAX_PIXELS } from "./redraw-limits.ts";

/**
 * Reads one picture, draws it anew and ends: `redraw.ts` starts it. The kind, the milliseconds it may use a processor
 * and what it is fitted into come as its arguments, the bytes come in and the WebP goes out by the standard streams.
 */
const loaders: Record<PictureKind, string> = {
  jpeg: "VipsForeignLoadJpegBuffer",
  png: "VipsForeignLoadPngBuffer",
  gif: "VipsForeignLoadNsgifBuffer",
  webp: "VipsForeignLoadWebpBuffer",
  avif: "VipsForeignLoadHeifBuffer",
  heic: "VipsForeignLoadHeifBuffer",
  svg: "VipsForeignLoadSvgBuffer",
};
const WATCH_EVERY_IN_MS = 10;

const kind = process.argv[2] as PictureKind;
const [cpuLimitInMs = 0, width = 0, height = 0, quality = 0] = process.argv.slice(3).map(Number);
sharp.concurrency(1);
// The one loader that the picture needs, and only from memory: no other is reached whatever the bytes pretend.
sharp.block({ operation: ["VipsForeignLoad"] });
sharp.unblock({ operation: [loaders[kind]] });

setInterval(endWhenExcessive, WATCH_EVERY_IN_MS).unref();
try {
  process.stdout.write(await draw(await buffer(process.stdin)));
} catch (error) {
  process.exitCode = /pixel limit/.test(String(error)) ? exits.tooManyPixels : exits.unreadable;
}

/** The first picture of an animation, turned as the camera was held. Metadata is left out unless one asks for it. */
function draw(bytes: Uint8Array): Promise<Buffer> {
  return (
    // Unlike "warning", which is the default, "error" takes what cameras write with small slips.
    sharp(bytes, { limitInputPixels: MAX_PIXELS, failOn: "error", sequentialRead: true })
      .autoOrient()
      .resize({
        width,
        height,
        fit: "inside",
        // A drawing has no size of its own to lose.
        withoutEnlargement: kind !== "svg",
      })
      .webp({ quality })
      .toBuffer()
  );
}

/** Drawing goes on in another thread, which cannot be stopped; the whole process can. */
function endWhenExcessive(): void {
  const { user, system } = process.cpuUsage();
  const cpuInMs = (user + system) / 1000;
  if (cpuInMs > cpuLimitInMs || process.memoryUsage.rss() > MAX_MEMORY_IN_BYTES) process.kill(process.pid, "SIGKILL");
}
