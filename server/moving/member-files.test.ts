import { expect, test } from "vitest";

import { openApp } from "../../tests/helpers/app.ts";
import { engines } from "../../tests/helpers/databases.ts";
import { DAY_IN_MS } from "../clock.ts";
import { createMemberFiles } from "./member-files.ts";

test.each(engines)(
  "%s: a file that takes several runs goes on where it was, and is forgotten after a week",
  async (engine) => {
    await using app = await openApp({ engine });
    const { moving, audit, transact, jobs } = app.services;
    // Each look at this clock takes so long that a run ends with its first hundred lines.
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
    fault: expect.stringContaining("a quote is not closed"),
  });
  expect(await send()).toMatchObject({ ok: true });
});
