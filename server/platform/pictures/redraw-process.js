import { buffer } from "node:stream/consumers";
import sharp from "sharp";

/** @import { Errand } from "./redraw.ts" */

/**
 * Re-encodes one picture and ends. `redraw.ts` passes the errand as the argument; bytes come in by stdin, WebP goes out
 * by stdout. Plain JavaScript: loading Node's TypeScript support would take half the time of a small picture.
 */

/** @type {Record<Errand["kind"], string>} */
const loaders = {
  jpeg: "VipsForeignLoadJpegBuffer",
  png: "VipsForeignLoadPngBuffer",
  gif: "VipsForeignLoadNsgifBuffer",
  webp: "VipsForeignLoadWebpBuffer",
  avif: "VipsForeignLoadHeifBuffer",
  heic: "VipsForeignLoadHeifBuffer",
  svg: "VipsForeignLoadSvgBuffer",
};
const WATCH_EVERY_IN_MS = 10;

/** @type {Errand} */
const { kind, frame, limits, exits } = JSON.parse(process.argv[2] ?? "");
sharp.concurrency(1);
// Only the loader that the picture needs, from memory: the bytes can reach no other.
sharp.block({ operation: ["VipsForeignLoad"] });
sharp.unblock({ operation: [loaders[kind]] });

setInterval(endWhenExcessive, WATCH_EVERY_IN_MS).unref();
try {
  process.stdout.write(await draw(await buffer(process.stdin)));
} catch (error) {
  process.exitCode = /pixel limit/.test(String(error)) ? exits.tooManyPixels : exits.unreadable;
}

/**
 * The first frame of an animation, turned as the camera was held. Metadata is dropped.
 * @param {Buffer} bytes
 * @returns {Promise<Buffer>}
 */
function draw(bytes) {
  const { width, height, quality } = frame;
  return (
    // Unlike "warning", which is the default, "error" takes what cameras write with small slips.
    sharp(bytes, { limitInputPixels: limits.pixels, failOn: "error", sequentialRead: true })
      .autoOrient()
      .resize({
        width,
        height,
        fit: "inside",
        // A vector drawing loses nothing when it is enlarged.
        withoutEnlargement: kind !== "svg",
      })
      .webp({ quality })
      .toBuffer()
  );
}

/** The decoder runs in another thread, which cannot be stopped; the whole process can. */
function endWhenExcessive() {
  const { user, system } = process.cpuUsage();
  const isExcessive = (user + system) / 1000 > limits.cpuInMs || process.memoryUsage.rss() > limits.memoryInBytes;
  if (isExcessive) process.kill(process.pid, "SIGKILL");
}
