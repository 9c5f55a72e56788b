import { beforeAll, describe, expect, test } from "vitest";

import { addNamed, openApp } from "../../../tests/helpers/app.ts";
import { engines } from "../../../tests/helpers/databases.ts";
import { area, BLUE, isNear, lookAt, RED } from "../../../tests/helpers/pictures.ts";
import { HOUR_IN_MS } from "../../platform/clock.ts";
import type { Engine } from "../../platform/database/database.ts";
import type { Picture } from "./avatars.ts";

/** Each is redrawn once, for all tests that need no more. */
let files: { red: Buffer; blue: Buffer };

beforeAll(async () => {
  files = { red: await area(60, 40, RED).png().toBuffer(), blue: await area(60, 40, BLUE).jpeg().toBuffer() };
});

async function openAvatars(engine: Engine) {
  const app = await openApp({ engine });
  const { avatars } = app.services;
  return { ...app, avatars, ada: await addNamed(app, "Ada"), ben: await addNamed(app, "Ben") };
}

async function drawn(app: Awaited<ReturnType<typeof openAvatars>>, file: Buffer): Promise<Picture> {
  const result = await app.avatars.draw(file);
  if (!result.ok) throw new Error(result.reason);
  return result.picture;
}

describe.each(engines)("avatars on %s", (engine) => {
  test("finds a member's picture for that member by its exact name only", async () => {
    await using app = await openAvatars(engine);
    const { avatars, ada, ben } = app;
    expect(await avatars.findHash(ada)).toBeUndefined();
    const saved = await avatars.save(ada, files.red);
    const hash = saved.ok ? saved.hash : "";
    expect(hash).toMatch(/^[\da-f]{64}$/);
    expect(await avatars.findHash(ada)).toBe(hash);
    const bytes = await avatars.find(ada, hash);
    expect(isNear((await lookAt(bytes ?? Buffer.alloc(0))).at(0.5, 0.5), RED)).toBe(true);
    expect(await avatars.find(ben, hash)).toBeUndefined();
    expect(await avatars.findHash(ben)).toBeUndefined();
    for (const other of ["", `${hash}\0`, hash.slice(1), hash.toUpperCase(), "0".repeat(64)]) {
      expect(await avatars.find(ada, other)).toBeUndefined();
    }
  });

  test("a new picture takes the place of the old one", async () => {
    await using app = await openAvatars(engine);
    const { avatars, ada, db, clock } = app;
    const [red, blue] = [await drawn(app, files.red), await drawn(app, files.blue)];
    await avatars.keep(ada, red);
    clock.advance(HOUR_IN_MS);
    await avatars.keep(ada, blue);
    expect(await avatars.findHash(ada)).toBe(blue.hash);
    expect(await avatars.find(ada, red.hash)).toBeUndefined();
    const rows = await db.selectFrom("avatars").select("savedAt").execute();
    expect(rows).toEqual([{ savedAt: clock() }]);
  });

  test("a refused picture leaves the old one where it is", async () => {
    await using app = await openAvatars(engine);
    const { avatars, ada } = app;
    const saved = await avatars.save(ada, files.red);
    expect(await avatars.save(ada, Buffer.from("Good night."))).toEqual({ ok: false, reason: "unsupported" });
    expect(await avatars.save(ada, Buffer.alloc(0))).toEqual({ ok: false, reason: "too-small" });
    expect(await avatars.save(ada, files.red.subarray(0, 60))).toEqual({ ok: false, reason: "unreadable" });
    expect(saved).toEqual({ ok: true, hash: await avatars.findHash(ada) });
  });

  test("accepts thirty files of one member in an hour, without limiting others", async () => {
    await using app = await openAvatars(engine);
    const { avatars, ada, ben, clock } = app;
    const sent = Array.from({ length: 31 }, () => avatars.save(ada, Buffer.from("Good night.")));
    const reasons = (await Promise.all(sent)).map((each) => (each.ok ? "kept" : each.reason));
    expect(reasons.filter((each) => each === "unsupported")).toHaveLength(30);
    const late = await avatars.save(ada, files.red);
    expect(late).toEqual({ ok: false, reason: "too-many-attempts", waitInMs: HOUR_IN_MS });
    expect(await avatars.save(ben, files.red)).toMatchObject({ ok: true });
    clock.advance(HOUR_IN_MS);
    expect(await avatars.save(ada, files.red)).toMatchObject({ ok: true });
  });

  test("two members with the same picture do not share it", async () => {
    await using app = await openAvatars(engine);
    const { avatars, ada, ben } = app;
    const picture = await drawn(app, files.red);
    await avatars.keep(ada, picture);
    await avatars.keep(ben, picture);
    await avatars.remove(ada);
    expect(await avatars.find(ada, picture.hash)).toBeUndefined();
    expect(Buffer.from((await avatars.find(ben, picture.hash)) ?? []).equals(picture.bytes)).toBe(true);
  });

  test("of ten pictures saved at once one is kept, whole", async () => {
    await using app = await openAvatars(engine);
    const { avatars, ada, db } = app;
    const pictures = [await drawn(app, files.red), await drawn(app, files.blue)];
    await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        avatars.keep(ada, pictures[index % 2] ?? { hash: "", bytes: new Uint8Array() }),
      ),
    );
    const rows = await db.selectFrom("avatars").select(["hash", "bytes"]).execute();
    expect(rows).toHaveLength(1);
    const picture = pictures.find(({ hash }) => hash === rows[0]?.hash);
    expect(Buffer.from(rows[0]?.bytes ?? []).equals(picture?.bytes ?? new Uint8Array())).toBe(true);
  });

  test("a picture that is kept in a transaction goes with it", async () => {
    await using app = await openAvatars(engine);
    const { avatars, ada, db } = app;
    const picture = await drawn(app, files.red);
    const undone = db.transaction().execute(async (trx) => {
      await avatars.keep(ada, picture, trx);
      throw new Error("undone");
    });
    await expect(undone).rejects.toThrow("undone");
    expect(await avatars.findHash(ada)).toBeUndefined();
    await db.transaction().execute((trx) => avatars.keep(ada, picture, trx));
    expect(await avatars.findHash(ada)).toBe(picture.hash);
  });
});
