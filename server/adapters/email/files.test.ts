import { spawnSync } from "node:child_process";
import { mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from "node:fs/promises";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import PostalMime from "postal-mime";
import { expect, test } from "vitest";

import { message } from "../../../tests/contracts/mailer.ts";
import { removeDrafts } from "../../platform/disk-files.ts";
import { createMailFiles } from "./files.ts";

const longAgo = new Date("2020-01-01T00:00:00Z");
const sender = { from: "Dormouse <hello@dormouse.example>", replyTo: "help@dormouse.example" };

async function openFolder() {
  const home = await mkdtemp(join(tmpdir(), "dormouse-mail-"));
  const folder = join(home, "data", "outbox");
  const read = async (name: string) => readFile(join(folder, name), "utf8");
  return {
    home,
    folder,
    mailer: createMailFiles({ folder, ...sender }),
    list: () => readdir(folder),
    read,
    readOnly: async () => {
      const names = await readdir(folder);
      expect(names).toHaveLength(1);
      return read(names[0] ?? "");
    },
    [Symbol.asyncDispose]: () => rm(home, { recursive: true, force: true }),
  };
}

test("an email becomes one file whose name sorts by time, in a folder that is made for it and its owner's alone", async () => {
  await using app = await openFolder();
  expect(await app.mailer.send(message)).toEqual({ ok: true });
  expect((await stat(app.folder)).mode & 0o777).toBe(0o700);
  await app.mailer.send({ ...message, id: "a", createdAt: new Date("2026-11-20T03:00:00.001Z") });
  await app.mailer.send({ ...message, id: "z", createdAt: new Date("2025-12-31T23:59:59.999Z") });
  expect((await app.list()).toSorted()).toEqual([
    "20251231T235959999Z-z.eml",
    "20261120T030000000Z-verification-1a2b3c.eml",
    "20261120T030000001Z-a.eml",
  ]);
});

test("the text is readable in the raw file, with code and link on their own lines, however long", async () => {
  await using app = await openFolder();
  const link = `https://members.example.org/signup?verify=${"aB3-_".repeat(60)}&next=x=y`;
  await app.mailer.send({ ...message, text: `Hello Ada,\n\n123456\n\n.\n-- \nFrom here:\n${link}\n` });
  const raw = await app.readOnly();
  expect(raw).toContain("Content-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: 7bit\n\nHello Ada,\n");
  expect(raw.split("\n")).toEqual(expect.arrayContaining(["123456", link, ".", "-- "]));
  expect(raw).not.toContain("\r");
  expect((await PostalMime.parse(raw)).text?.split("\n")).toEqual(expect.arrayContaining(["123456", link]));
});

test("special characters are encoded without loss", async () => {
  await using app = await openFolder();
  const text = `before\rmiddle\0after ${"x".repeat(1200)} ${"£".repeat(600)}`;
  await app.mailer.send({ ...message, text });
  const raw = await app.readOnly();
  expect(Math.max(...raw.split("\n").map((line) => Buffer.byteLength(line)))).toBeLessThanOrEqual(998);
  expect(raw).not.toMatch(/[\0\r]/);
  const readBack = (await PostalMime.parse(raw)).text ?? "";
  expect(readBack).toContain(`after ${"x".repeat(1200)} ${"£".repeat(600)}`);
});

test("an email of text alone, or of nothing, still has its headers", async () => {
  await using app = await openFolder();
  await app.mailer.send({ ...message, id: "text", html: "" });
  await app.mailer.send({ ...message, id: "none", html: "", text: "" });
  await app.mailer.send({ ...message, id: "html", text: "" });
  for (const name of await app.list()) {
    const mail = await PostalMime.parse(await app.read(name));
    expect(mail).toMatchObject({ to: [{ address: message.to }], subject: message.subject });
  }
});

test("the same message twice, or ten times at once, is one whole file", async () => {
  await using app = await openFolder();
  await app.mailer.send(message);
  const again = await Promise.all(Array.from({ length: 10 }, () => app.mailer.send(message)));
  expect(again.every((delivery) => delivery.ok)).toBe(true);
  expect((await PostalMime.parse(await app.readOnly())).text).toContain("123456");
});

test("a reader never sees half a file, not even of one that is written again", async () => {
  await using app = await openFolder();
  const long = { ...message, text: "A line of a long email.\n".repeat(200_000) };
  await app.mailer.send(long);
  const whole = (await app.readOnly()).length;
  const state = { isWriting: true };
  const writing = Promise.all([app.mailer.send(long), app.mailer.send(long)]).then(() => (state.isWriting = false));
  const lengths = new Set<number>();
  while (state.isWriting) lengths.add((await app.read("20261120T030000000Z-verification-1a2b3c.eml")).length);
  await writing;
  expect([...lengths]).toEqual([whole]);
});

test("an email's file is always inside the folder, whatever its id", async () => {
  await using app = await openFolder();
  await app.mailer.send({ ...message, id: "../../../escape" });
  expect(await app.list()).toEqual(["20261120T030000000Z-..%2F..%2F..%2Fescape.eml"]);
  expect(await readdir(app.home)).toEqual(["data"]);
});

test("a folder that cancouldn't write is a temporary failure", async () => {
  await using app = await openFolder();
  await writeFile(join(app.home, "data"), "in the way");
  const delivery = await app.mailer.send(message);
  expect(delivery).toMatchObject({ ok: false, isPermanent: false, reason: expect.stringContaining("couldn't write") });
  await rm(join(app.home, "data"));
  expect(await app.mailer.send(message)).toEqual({ ok: true });
});

test("checking a folder that cancouldn't write says so, and what to look at", async () => {
  await using app = await openFolder();
  await writeFile(join(app.home, "data"), "in the way");
  const text = expect.stringMatching(/^We can't write to .*Can this user write there\?$/);
  expect(await app.mailer.check()).toEqual({ isWell: false, message: text });
  await rm(join(app.home, "data"));
  expect(await app.mailer.check()).toMatchObject({ isWell: true });
  expect(await app.list()).toEqual([]);
});

test("an email that fails to be written leaves nothing behind", async () => {
  await using app = await openFolder();
  expect(await app.mailer.send({ ...message, id: "x".repeat(300) })).toMatchObject({ ok: false, isPermanent: false });
  expect(await app.list()).toEqual([]);
});

test("drafts that killed processes left are removed at a later start, and no email nor what is being written", async () => {
  await using app = await openFolder();
  await removeDrafts(app.folder);
  await app.mailer.send(message);
  const here = encodeURIComponent(hostname());
  const { pid: gone } = spawnSync(process.execPath, ["--version"]);
  const left = [".0b9f2a3c.draft", `.${here}-${gone}-2d.draft`, `.${here}-${process.pid}-3e.draft`];
  const writing = [
    ".1c8e3b4d.draft",
    `.${here}-${process.pid}-4f.draft`,
    `.${here}-${process.ppid}-5a.draft`,
    ".other-1-6b.draft",
  ];
  for (const name of [...left, ...writing]) await writeFile(join(app.folder, name), "Your code is 123456");
  await utimes(join(app.folder, left[0] ?? ""), longAgo, longAgo);
  const beforeThisProcess = new Date(performance.timeOrigin - 1000);
  await utimes(join(app.folder, left[2] ?? ""), beforeThisProcess, beforeThisProcess);
  await removeDrafts(app.folder);
  expect((await app.list()).toSorted()).toEqual([...writing, "20261120T030000000Z-verification-1a2b3c.eml"].toSorted());
});
