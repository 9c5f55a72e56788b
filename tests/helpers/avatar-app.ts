import { expect } from "vitest";

import { createAvatars, type Picture } from "../../server/avatars/avatars.ts";
import type { Context } from "../../server/context.ts";
import { createRateLimiter } from "../../server/rate-limit/rate-limit.ts";
import { openTestDatabase } from "./databases.ts";
import { listWebpChunks } from "./pictures.ts";
import { createTestContext } from "./test-context.ts";

export type AvatarApp = Awaited<ReturnType<typeof openAvatarApp>>;

/** The module that draws pictures anew, over one database. */
export async function openAvatarApp(drawing?: { cpuInMs: number }) {
  const database = await openTestDatabase("sqlite");
  const avatars = createTestAvatars(createTestContext(database.db), drawing);
  /** The picture that a file becomes; it is always plain WebP within its limits. */
  async function drawn(bytes: Uint8Array): Promise<Picture> {
    const result = await avatars.draw(bytes);
    if (!result.ok) throw new Error(`refused: ${result.reason}`);
    expectPlainWebp(result.picture.bytes);
    return result.picture;
  }
  return { avatars, drawn, close: () => database.close() };
}

export function createTestAvatars(ctx: Context, drawing?: { cpuInMs: number }) {
  return createAvatars({ ...ctx, rateLimiter: createRateLimiter(ctx), ...(drawing && { drawing }) });
}

export function expectPlainWebp(bytes: Uint8Array): void {
  expect(Buffer.from(bytes).toString("latin1", 0, 12)).toMatch(/^RIFF[^]{4}WEBP$/);
  // No EXIF, no XMP, no ICCP, no frames, and nothing behind the end.
  for (const name of listWebpChunks(bytes)) expect(["VP8 ", "VP8L", "VP8X", "ALPH"]).toContain(name);
  expect(Buffer.from(bytes).readUInt32LE(4) + 8).toBe(bytes.byteLength);
}
