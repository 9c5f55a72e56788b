import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import sharp from "sharp";
import { expect, test } from "vitest";

import { createMailFiles } from "../../server/adapters/email/files.ts";
import { findPicture, openPictureStore } from "../../server/content/items/pictures.ts";
import { createDormouse } from "../helpers/dormouse.ts";
import { openFolder } from "../helpers/folder.ts";
import { codeIn, emailsTo, readMailFolder } from "../helpers/mailbox.ts";
import { nora } from "../helpers/newcomer.ts";
import { readWords } from "../helpers/page.ts";
import { photo } from "../helpers/pictures.ts";
import { createQuietLog } from "../helpers/quiet-log.ts";
import { createTestClock } from "../helpers/test-clock.ts";
import {
  limitFiles,
  type ProcessAnswer,
  type ProcessBrowser,
  production,
  type RunningApp,
  startApp,
} from "../helpers/running-app.ts";

/**
 * A full disk, as a process sees it: writes past a point fail, perhaps half-way. The process's own limit for files
 * (`setrlimit`, `RLIMIT_FSIZE`) simulates it.
 */
const FULL_AT_BYTES = 1000;

/** Afterwards there is space again. */
async function whileFull<Result>(work: () => Promise<Result>): Promise<Result> {
  limitFiles(process.pid, FULL_AT_BYTES);
  try {
    return await work();
  } finally {
    limitFiles(process.pid, undefined);
  }
}

async function readCode({ dataDir }: RunningApp, email: string): Promise<string> {
  const find = async () => emailsTo(email, await readMailFolder(join(dataDir, "outbox"))).at(-1);
  await expect.poll(find, { timeout: 15_000 }).toBeDefined();
  return codeIn(await find());
}

/** By a code, so that no money is needed. */
async function becomeMember(app: RunningApp): Promise<ProcessBrowser> {
  const dormouse = createDormouse({ ...production, DATA_DIR: app.dataDir });
  const { code } = await dormouse.ask<{ code: string }>("code", "create", "--seats", "5");
  const browser = app.openBrowser();
  expect((await browser.post("/signup?step=1", { ...nora, accountType: "corporate", code })).status).toBe(303);
  const oneTimeCode = await readCode(app, nora.email);
  expect((await browser.post("/signup?step=2", { intent: "verify", oneTimeCode })).status).toBe(303);
  const paid = await browser.post("/signup?step=3", { intent: "pay", plan: "3", postcode: "EX1 1AA" });
  expect(paid.location).toBe("/signup?step=4");
  await browser.get(paid.location);
  return browser;
}

async function sendPicture(browser: ProcessBrowser, colour: string): Promise<ProcessAnswer> {
  const form = new FormData();
  const shown = { shownFirstName: "Nora", shownLastName: "Penn", shownEmail: nora.email };
  const fields = { intent: "profile", firstName: "Nora", lastName: "Penn", email: nora.email, ...shown };
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  const png = await sharp({ create: { width: 60, height: 30, channels: 3, background: colour } })
    .png()
    .toBuffer();
  form.append("picture", new File([new Uint8Array(png)], "me.png"));
  return browser.post("/?account=open", form);
}

const readPicture = ({ text }: ProcessAnswer): string => /\/avatars\/[0-9a-f]+/.exec(text)?.[0] ?? "";

test("on a full disk pages are served, forms are answered with a plain sentence, and all works again once there is room", async () => {
  await using app = await startApp({});
  const browser = await becomeMember(app);
  expect((await sendPicture(browser, "#aa0000")).status).toBe(303);
  const before = readPicture(await browser.get("/"));
  expect(before).not.toBe("");

  app.limitFiles(FULL_AT_BYTES);
  const stranger = app.openBrowser();
  const refused = [
    await browser.post("/favourites", { save: "watch-2001", from: "/" }),
    await sendPicture(browser, "#0000aa"),
    await stranger.post("/signup?step=1", { ...nora, email: "late@example.org" }),
    await stranger.post("/login", { intent: "log-in", email: nora.email, password: nora.password }),
  ];
  for (const answer of refused) {
    expect(answer.status).toBe(503);
    expect(answer.headers.get("Retry-After")).toBe("60");
    expect(readWords(answer.text)).toMatch(
      /We can't save anything just now We couldn't save that. Please try again in a few minutes.|We can't (?:save|change) .* just now/,
    );
    expect(answer.text).not.toMatch(/sqlite|disk|EFBIG|\.ts\b/i);
    expect(answer.headers.getSetCookie()).toEqual([]);
  }
  for (const path of ["/", "/?view=watch", "/?view=read&item=1001", "/?q=snoring"]) {
    expect((await browser.get(path)).status, path).toBe(200);
  }
  expect((await stranger.get("/login")).status).toBe(200);
  expect(await stranger.get("/readyz")).toMatchObject({ status: 503, text: '{"database":false,"catalogue":true}' });
  expect(readPicture(await browser.get("/"))).toBe(before);
  expect((await browser.get(before)).status).toBe(200);

  app.limitFiles(undefined);
  expect((await stranger.get("/readyz")).status).toBe(200);
  expect((await browser.post("/favourites", { save: "watch-2001", from: "/" })).status).toBe(303);
  expect((await browser.get("/?view=favourites&kind=watch")).text).toContain("watch-2001");
  expect((await sendPicture(browser, "#0000aa")).status).toBe(303);
  expect(readPicture(await browser.get("/"))).not.toBe(before);
  expect((await stranger.post("/signup?step=1", { ...nora, email: "late@example.org" })).status).toBe(303);
  expect(await readCode(app, "late@example.org")).toMatch(/^\d{6}$/);
  expect(emailsTo("late@example.org", await readMailFolder(join(app.dataDir, "outbox")))).toHaveLength(1);
}, 120_000);

const mail = { id: "verification:1", to: nora.email, subject: "Hello", createdAt: new Date("2026-11-20T03:00:00Z") };

test("an email that a full disk cuts off leaves no file, and is written whole once there is room", async () => {
  await using place = await openFolder();
  const mailer = createMailFiles({ folder: place.folder, from: "hello@example.org", replyTo: "hello@example.org" });
  const message = { ...mail, text: "Good night.\n".repeat(500), html: "<p>Good night.</p>" };
  const sent = await whileFull(() => mailer.send(message));
  expect(sent).toMatchObject({ ok: false, isPermanent: false });
  expect(await readdir(place.folder)).toEqual([]);
  expect(await mailer.send(message)).toEqual({ ok: true });
  const [name = ""] = await readdir(place.folder);
  expect((await readFile(join(place.folder, name), "utf8")).match(/Good night\./g)?.length).toBeGreaterThan(499);
});

test("a picture that a full disk cuts off is shown but not cached, never in part", async () => {
  await using place = await openFolder();
  const log = createQuietLog();
  const store = openPictureStore({ folder: place.folder, clock: createTestClock(), log });
  const original = new Uint8Array(await photo(800, 600).jpeg().toBuffer());
  let fetched = 0;
  const wanted = {
    name: "moon.jpg",
    width: 640,
    fetch: async () => {
      fetched += 1;
      return original;
    },
  };
  const findBytes = async () => {
    const found = await findPicture(store, wanted);
    return typeof found === "object" ? found.read(0, found.sizeInBytes - 1) : undefined;
  };
  const whole = await whileFull(findBytes);
  expect(await sharp(whole).metadata()).toMatchObject({ format: "webp" });
  expect(await readdir(place.folder)).toEqual([]);
  expect(log.lines.map(({ event }) => event)).toEqual(["a drawn picture could not be stored"]);
  expect(await findBytes()).toEqual(whole);
  expect(await findBytes()).toEqual(whole);
  expect(fetched).toBe(2);
  expect(await readdir(place.folder)).toHaveLength(1);
});
