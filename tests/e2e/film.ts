import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import sharp from "sharp";

/** One frame of the screen. `brightShare`: the part that is brighter than the text of the night scheme, from 0 to 1. */
export type Frame = { path: string; brightShare: number };

export type Film = {
  /** Ends the recording; returns every frame since its start. */
  stop(): Promise<Frame[]>;
};

/**
 * Records each frame that the browser presents. Between two documents a browser shows the first until it can draw the
 * second, so any brightness comes from our pages.
 */
export async function startFilm(page: Page): Promise<Film> {
  const session = await page.context().newCDPSession(page);
  const pictures: { path: string; data: string }[] = [];
  session.on("Page.screencastFrame", ({ data, sessionId }) => {
    const { pathname, search } = new URL(page.url());
    pictures.push({ path: pathname + search, data });
    // The browser sends the next frame once this one is acknowledged; the page may have closed by then.
    session.send("Page.screencastFrameAck", { sessionId }).catch(() => undefined);
  });
  await session.send("Page.startScreencast", {
    format: "png",
    everyNthFrame: 1,
    maxWidth: WIDTH,
    maxHeight: 2 * WIDTH,
  });
  return {
    async stop() {
      await session.send("Page.stopScreencast");
      await session.detach();
      const frames: Frame[] = [];
      for (const { path, data } of pictures) frames.push({ path, brightShare: await readBrightShare(data) });
      return frames;
    },
  };
}

/** Small frames are quick to take, and show a fiftieth of the screen as well as large ones. */
const WIDTH = 195;

/** WCAG 2.2, relative luminance: the light of each of a channel's 256 values. */
const light = Array.from({ length: 256 }, (_, value) => {
  const share = value / 255;
  return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
});

function toLuminance(red: number, green: number, blue: number): number {
  return 0.2126 * (light[red] ?? 0) + 0.7152 * (light[green] ?? 0) + 0.0722 * (light[blue] ?? 0);
}

/** The brightest colour of the night: `--text`, whose second value belongs to that scheme. */
const tokens = readFileSync(join(import.meta.dirname, "../../app/styles/tokens.css"), "utf8");
const [, textColour = ""] = /--text: light-dark\(#[\da-f]{6}, #([\da-f]{6})\);/.exec(tokens) ?? [];
const [red = 0, green = 0, blue = 0] = Buffer.from(textColour, "hex");
const textLuminance = toLuminance(red, green, blue);

async function readBrightShare(png: string): Promise<number> {
  const { data, info } = await sharp(Buffer.from(png, "base64")).raw().toBuffer({ resolveWithObject: true });
  let bright = 0;
  for (let at = 0; at < data.length; at += info.channels) {
    if (toLuminance(data[at] ?? 0, data[at + 1] ?? 0, data[at + 2] ?? 0) > textLuminance) bright += 1;
  }
  return bright / (info.width * info.height);
}
