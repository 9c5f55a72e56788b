import { expect, test } from "vitest";

import { openApp } from "../../../tests/helpers/app.ts";
import { engines } from "../../../tests/helpers/databases.ts";
import { countTurns } from "../../../tests/helpers/turns.ts";
import { DAY_IN_MS } from "../../platform/clock.ts";
import { createMemberFiles } from "./member-files.ts";

test.each(engines)(
  "%s: a file that takes several runs goes on where it was, and is forgotten after a week",
  async (engine) => {
    await using app = await openApp({ engine });
    const { moving, audit, transact, jobs } = app.services;
    // Each call of this clock takes so long that a run ends with its first hundred lines.
    const clock = () => {
      app.clock.advance(6000);
      return app.clock();
    };
    const files = createMemberFiles({ ...app.ctx, clock, moving, audit });
    const rows = Array.from(
      { length: 250 },
      (_, index) => `m${index}@shop.example,${index === 120 ? "x".repeat(81) : ""}\n`,
    );
    const bytes = Buffer.from(`email,name\n${rows.join("")}`);
    const sent = { name: "shop.csv", bytes, operator: "olive", isRehearsal: false, isMailed: false };
    expect(await transact((trx) => files.add(sent, trx))).toMatchObject({ ok: true });
    const done: number[] = [];
    for (let run = 1; run <= 3; run += 1) {
      await files.work();
      done.push((await files.list(1))[0]?.linesDone ?? 0);
    }
    expect(done).toEqual([101, 201, 251]);
    expect((await files.list(1))[0]).toMatchObject({
      counts: { added: 249, completed: 0, same: 0, refused: 1 },
      finishedAt: expect.any(Date),
    });
    const parts: string[] = [];
    for await (const part of files.writeReport(1)) parts.push(part);
    expect(parts.join("").split("\r\n")).toEqual([
      "\uFEFFemail,name,reason",
      expect.stringMatching(/^m120@shop\.example,x+,A name has more than 80 characters\.$/),
      "",
    ]);
    await jobs.run("purge-expired");
    expect(await files.list(1)).toHaveLength(1);
    app.clock.advance(8 * DAY_IN_MS);
    await jobs.run("purge-expired");
    expect(await files.list(1)).toEqual([]);
  },
);

test("a rehearsal in parts says what one in a piece says, and lets others work between its lines", async () => {
  await using app = await openApp();
  const { moving, audit, transact } = app.services;
  await app.services.codes.create({ code: "PILLOW-27", seats: 101, startsAt: app.clock() });
  const rows = Array.from({ length: 210 }, (_, index) => `m${index % 200}@shop.example,PILLOW-27\n`);
  const sent = {
    name: "shop.csv",
    bytes: Buffer.from(`email,code\n${rows.join("")}`),
    operator: "olive",
    isRehearsal: true,
    isMailed: false,
  };
  const reports: string[][] = [];
  for (const runs of [1, 3]) {
    const clock = () => {
      if (runs > 1) app.clock.advance(6000);
      return app.clock();
    };
    const files = createMemberFiles({ ...app.ctx, clock, moving, audit });
    const added = await transact((trx) => files.add(sent, trx));
    for (let run = 1; run <= runs; run += 1) {
      expect((await files.list(1))[0]).toMatchObject({ linesDone: run === 1 ? 0 : run * 100 - 99, lines: 211 });
      await files.work();
    }
    const [file] = await files.list(1);
    expect(file).toMatchObject({ finishedAt: expect.any(Date), counts: { added: 101, same: 0, refused: 109 } });
    let report = "";
    for await (const part of files.writeReport(added.ok ? added.id : 0)) report += part;
    reports.push(report.split("\r\n"));
  }
  expect(reports[1]).toEqual(reports[0]);
});

test.each([false, true])(
  "between the lines of a file others have their turns (a rehearsal: %s)",
  async (isRehearsal) => {
    await using app = await openApp();
    const { memberFiles, transact } = app.services;
    // Half of the lines need no query.
    const rows = Array.from({ length: 60 }, (_, index) => (index % 2 ? `m${index}@shop.example\n` : "nobody\n"));
    const bytes = Buffer.from(`email\n${rows.join("")}`);
    await transact((trx) => memberFiles.add({ name: "f", bytes, operator: "o", isRehearsal, isMailed: false }, trx));
    const turns = await countTurns(() => memberFiles.work());
    expect(turns).toBeGreaterThanOrEqual(rows.length / 2);
  },
);

test("a file whose quotes are not closed says so, and ten at once are enough", async () => {
  await using app = await openApp();
  const { memberFiles, transact, jobs } = app.services;
  const bytes = Buffer.from('email,name\na@shop.example,Ada\nb@shop.example,"Ben\n');
  const sent = { name: "shop.csv", bytes, operator: "olive", isRehearsal: false, isMailed: false };
  const send = () => transact((trx) => memberFiles.add(sent, trx));
  for (let count = 0; count < 10; count += 1) expect(await send()).toMatchObject({ ok: true });
  expect(await send()).toMatchObject({ ok: false, refusal: expect.stringContaining("Ten files") });
  await jobs.run("import-members");
  expect((await memberFiles.list(10)).at(-1)).toMatchObject({
    counts: { added: 1 },
    fault: expect.stringContaining("a quotation mark opens there"),
  });
  expect(await send()).toMatchObject({ ok: true });
});
