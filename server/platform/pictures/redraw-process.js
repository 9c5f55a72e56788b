import { buffer } from "node:stream/consumers";
import sharp from "sharp";

/** @import { Errand } from "./redraw.ts" */

/**
 * Reads one picture, re-encodes it and ends: `redraw.ts` starts it with an errand as its argument; the bytes come in and the WebP goes
 * out by the standard streams. It is plain JavaScript, because Node would load its TypeScript support for each picture, which takes
 * half as long as all the rest of a small one.
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
// Only the loader that the picture needs, from memory: no other can be reached, whatever the bytes claim to be.
sharp.block({ operation: ["VipsForeignLoad"] });
sharp.unblock({ operation: [loaders[kind]] });

setInterval(endWhenExcessive, WATCH_EVERY_IN_MS).unref();
try {
  process.stdout.write(await draw(await buffer(process.stdin)));
} catch (error) {
  process.exitCode = /pixel limit/.test(String(error)) ? exits.tooManyPixels : exits.unreadable;
}

/**
 * The first picture of an animation, turned as the camera was held. Metadata is left out unless one asks for it.
 *
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
