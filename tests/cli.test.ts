import { existsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, inject, test } from "vitest";

import { startDemo } from "./helpers/demo-process.ts";
import { createCommands, createDormouse } from "./helpers/dormouse.ts";
import { codeIn, emailsTo, readMailFolder } from "./helpers/mailbox.ts";
import { openOffice } from "./helpers/office.ts";
import { openProcessBrowser, production } from "./helpers/running-app.ts";
import { createPostgresDatabase } from "./helpers/postgres-server.ts";

test("help needs neither settings nor a database, and goes to stdout", async () => {
  const dataDir = join(tmpdir(), "dormouse-never-made");
  const { run } = createDormouse({ DATA_DIR: dataDir });
  const [all, one, mistake, bare] = await Promise.all([
    run("--help"),
    run("code", "create", "--help"),
    run("code", "create", "--seats", "many"),
    run("code", "list"),
  ]);
  expect(all).toMatchObject({ code: 0, stdout: expect.stringContaining("  catalogue  "), stderr: "" });
  expect(one).toMatchObject({ code: 0, stdout: expect.stringMatching(/^Usage: /), stderr: "" });
  const sentence = "--seats “many”: Please enter a whole number from 1 to 1000000.\n";
  expect(mistake).toEqual({ code: 2, stdout: "", stderr: sentence });
  expect(bare).toMatchObject({ code: 1, stdout: "" });
  for (const name of Object.keys(production)) expect(bare.stderr).toContain(`${name} is missing`);
  expect(bare.stderr).not.toContain("    at ");
  expect(existsSync(dataDir)).toBe(false);
});

test("a company is created, agrees on the printed page, and its people join until the code is revoked", async () => {
  const demo = await startDemo();
  const { run, ask } = createCommands({ DEMO: "true", DATA_DIR: demo.dataDir });
  const create = ["company", "create", "--name", "Pillow Works", "--email", "hr@pillow.example", "--accounts", "50"];
  const created = await run(...create, "--price", "1500.00");
  expect(created).toMatchObject({ code: 0, stderr: "" });
  const code = /^Code +(\S+)$/m.exec(created.stdout)?.[1] ?? "";
  const page = /^Direct Debit page +http:\/\/localhost:3000\/(\S+)$/m.exec(created.stdout)?.[1] ?? "";
  expect(created.stdout).toMatch(/^Price a year +£1,500\.00$/m);
  expect(created.stdout).toMatch(/^Works until +\d\d\/\d\d\/\d{4} \d\d:\d\d$/m);
  expect(created.stdout).toMatch(/^Emailed to +hr@pillow\.example$/m);
  expect((await run("code", "show", code)).stdout).toContain("no, its company hasn't set up its Direct Debit");
  await expect.poll(() => readMailFolder(join(demo.dataDir, "outbox"))).toHaveLength(2);
  const mail = (await readMailFolder(join(demo.dataDir, "outbox"))).find(({ text }) => text.includes(page));
  expect(mail).toMatchObject({ to: "hr@pillow.example", text: expect.stringContaining(page) });

  const openBrowser = () => openProcessBrowser(demo.url.slice(0, -1), new URL(demo.url).origin);
  const { post } = openBrowser();
  const bank = { accountHolderName: "Pillow Works", accountNumber: "55779911", sortCode: "20-00-00" };
  expect((await post(`/${page}`, { intent: "agree", ...bank })).status).toBe(303);
  await run("job", "run", "handle-webhooks");
  await expect
    .poll(() => ask("company", "show", "pillow works"))
    .toMatchObject({
      state: "live",
      seatsTaken: 0,
      priceInPence: 150_000,
      collections: [{ period: 0, amountInPence: 150_000, state: "confirmed" }],
    });
  expect((await run("company", "list")).stdout).toMatch(/Pillow Works +live +\S+ +0 of 50 +£1,500\.00/);
  expect(await run("company", "link", "Pillow Works")).toMatchObject({ code: 1, stdout: "" });

  const nora = { firstName: "Nora", lastName: "Penn", email: "nora@pillow.example" };
  const password = { password: "moss-lantern-42", passwordConfirmation: "moss-lantern-42" };
  const details = { intent: "details", accountType: "corporate", code, ...nora, ...password };
  expect((await post("/signup?step=1", details)).status).toBe(303);
  const findEmail = async () => emailsTo(nora.email, await readMailFolder(join(demo.dataDir, "outbox"))).at(-1);
  await expect.poll(findEmail).toBeDefined();
  const verification = { intent: "verify", oneTimeCode: codeIn(await findEmail()) };
  expect((await post("/signup?step=2", verification)).status).toBe(303);
  expect((await post("/signup?step=3", { intent: "pay", plan: "3", postcode: "EX1 1AA" })).status).toBe(303);

  const shown = await run("code", "show", code);
  expect(shown.stdout).toMatch(/^Works now +yes$/m);
  expect(shown.stdout).toMatch(/^Seats taken +1 of 50$/m);
  expect(shown.stdout).toMatch(/Nora Penn +nora@pillow\.example +\d\d\//);
  expect(await run("code", "revoke", code)).toMatchObject({ code: 0, stderr: "" });
  expect(await ask("code", "show", code)).toMatchObject({
    isValid: false,
    fault: "revoked",
    company: { name: "Pillow Works" },
    holders: [{ name: "Nora Penn", email: nora.email }],
  });
  const late = await openBrowser().post("/signup?step=1", { ...details, email: "late@pillow.example" });
  expect(late).toMatchObject({ status: 400, text: expect.stringContaining("This code is no longer in use.") });
  await demo.stop();
});

test("the same commands run on PostgreSQL", async () => {
  const url = await createPostgresDatabase(inject("postgresUrl"));
  await using office = await openOffice({ DATABASE_URL: url });
  const { run, ask, services } = office;
  expect(await ask("code", "create", "--code", "PILLOW", "--seats", "2")).toMatchObject({
    code: "PILLOW",
    isValid: true,
  });
  const [list, shown, off, doctor] = await Promise.all([
    ask("member", "list", "--search", "marsh"),
    run("member", "show", "1"),
    ask("member", "deactivate", "1"),
    run("doctor"),
  ]);
  expect(list).toMatchObject({ total: 1, members: [{ firstName: "Lena" }] });
  expect(shown).toMatchObject({ code: 0, stderr: "" });
  expect(off).toMatchObject({ isRevoked: true });
  expect(doctor.stdout).toMatch(/^clock +ok/m);
  expect(doctor.stdout).toMatch(/^database +ok +PostgreSQL at 127\.0\.0\.1:\d+: /m);
  expect(doctor.stdout).not.toContain("postgres@");
  expect(await ask("member", "erase", "2", "--yes")).toMatchObject({ memberId: 2 });
  expect(await services.audit.list(9)).toHaveLength(3);
  expect(existsSync(join(office.dataDir, "dormouse.sqlite"))).toBe(false);

  const away = await createCommands({ ...office.env, DATABASE_URL: "postgres://nobody@127.0.0.1:1/none" }).run(
    "code",
    "list",
  );
  expect(away).toMatchObject({ code: 1, stdout: "" });
  expect(away.stderr).toMatch(/^We can't open the database: .*ECONNREFUSED.*\n$/);
});
