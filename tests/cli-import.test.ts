import { readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";

import { keys, makeCoupon, makeCustomer, makeOrder, startWooCommerceFake } from "./fakes/woocommerce.ts";
import { openOffice } from "./helpers/office.ts";

/** Made by PHP's `password_hash` of `plain-hedge-at-dusk`. */
const bcrypt = "$2y$10$Yl26b6zdKDEqEagxkjl6K.2zRcD9r66w4/N72ChMfAawtuL/tIgrK";

const good = `ada@shop.example,Ada Lovell,${bcrypt},Yearly,2030-01-31`;
const file = `email,name,password_hash,plan,end,shoe size\n${good},38\nben@shop,Ben,,,,41\nmember@dormouse.example,,,,,\n`;

describe("import members", () => {
  test("says line by line what would happen, then does it, and keeps the refused lines in a file", async () => {
    await using office = await openOffice();
    const { run, ask, services, dataDir } = office;
    const path = join(dataDir, "shop.csv");
    await writeFile(path, file);

    const rehearsed = await run("import", "members", path, "--dry-run", "--refused", join(dataDir, "dry.csv"));
    expect(rehearsed).toMatchObject({ code: 1, stderr: "" });
    expect(rehearsed.stdout).toContain("Columns ignored: shoe size\n");
    expect(rehearsed.stdout).toContain("Line 2: ada@shop.example: a new member, Yearly until 31/01/2030\n");
    expect(rehearsed.stdout).toContain("Line 3: refused. “ben@shop” isn't an email address.\n");
    expect(rehearsed.stdout).toContain("Line 4: member@dormouse.example: nothing to do\n");
    expect(await services.accounts.findByEmail("ada@shop.example")).toBeUndefined();

    const done = await run("import", "members", path, "--mail");
    const refused = join(dataDir, "shop-refused.csv");
    expect(done.code).toBe(1);
    expect(done.stdout).toMatch(/New members +1\nMembers updated +0\nNothing to do +1\nRefused +1\n/);
    expect(done.stdout).toContain(`The refused lines are in ${refused}, each with its reason.`);
    const credentials = { email: "ada@shop.example", password: "plain-hedge-at-dusk", address: "203.0.113.9" };
    expect(await services.logIn(credentials)).toMatchObject({ ok: true });
    expect((await services.outbox.list({ limit: 9 })).map(({ kind, to }) => [kind, to])).toEqual([
      ["moved", "ada@shop.example"],
    ]);
    expect((await services.audit.list(1))[0]).toMatchObject({
      operator: "Olive Operator",
      action: "members import",
      facts: { added: 1, completed: 0, same: 1, refused: 1, isMailed: true },
    });

    expect((await stat(refused)).mode & 0o777).toBe(0o600);
    const text = await readFile(refused, "utf8");
    expect(text).toContain("ben@shop,Ben,,,,41,“ben@shop” isn't an email address.\r\n");
    expect(await run("import", "members", path)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("--refused"),
    });
    await writeFile(refused, text.replaceAll("ben@shop,", "ben@shop.example,"));
    expect(await ask("import", "members", refused)).toMatchObject({ added: 1, refused: 0, refusedFile: null });
  });

  test("what cannot be read is said in a sentence", async () => {
    await using office = await openOffice();
    const path = join(office.dataDir, "shop.csv");
    await writeFile(path, `email,name\nada@shop.example,"Ada\n`);
    const answers = [
      await office.run("import", "members", join(office.dataDir, "none.csv")),
      await office.run("import", "members", path),
      await office.run("import", "members", path, "--plan", "weekly"),
      await office.run("import", "members", path, "--end", "soon"),
    ];
    expect(answers.map(({ code }) => code)).toEqual([1, 1, 2, 2]);
    expect(answers[0]?.stderr).toContain("We can't read the file");
    expect(answers[1]?.stderr).toMatch(/We can't read line \d: a quotation mark opens there and never closes\./);
  });
});

test("export members writes a file that an import finds nothing to do with", async () => {
  await using office = await openOffice();
  const path = join(office.dataDir, "members.csv");
  expect(await office.ask("export", "members", path, "--passwords")).toMatchObject({ lines: 3 });
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  expect(await office.ask("import", "members", path)).toMatchObject({ added: 0, completed: 0, same: 3, refused: 0 });
  expect(await office.run("export", "members", path)).toMatchObject({ code: 1 });
  const without = join(office.dataDir, "without.csv");
  await office.ask("export", "members", without);
  expect(await readFile(without, "utf8")).not.toContain("$argon2id$");
});

describe("import woocommerce", () => {
  const shop = {
    customers: [makeCustomer(1), makeCustomer(2)],
    orders: [
      makeOrder(10, { customer: 1, variation: 120, paid: "2029-11-01T10:00:00" }),
      makeOrder(11, { customer: 2, variation: 120, paid: "2029-11-02T10:00:00", code: "quilt-30" }),
    ],
    coupons: [makeCoupon(5, "quilt-30", { usage_limit: 3 })],
  };

  test("shows a table before it writes, brings members with passwords and seats, and does it once", async () => {
    await using fake = await startWooCommerceFake(shop);
    await using office = await openOffice({ WOOCOMMERCE_KEY: keys.key, WOOCOMMERCE_SECRET: keys.secret });
    const { run, ask, services, dataDir } = office;
    const hashes = join(dataDir, "hashes.csv");
    await writeFile(hashes, `email,password_hash\nm1@shop.example,${bcrypt}\n`);
    const shown = await run("import", "woocommerce", fake.url, "--passwords", hashes);
    expect(shown).toMatchObject({ code: 0, stderr: "" });
    expect(shown.stdout).toMatch(/^Members to import +2$/m);
    expect(shown.stdout).toMatch(/^With their password +1$/m);
    expect(shown.stdout).toMatch(/^Yearly +120 +2 +0$/m);
    expect(shown.stdout).toMatch(/^QUILT-30 +1 +3 +– +1$/m);
    expect(shown.stdout).toContain("Nothing was changed.");
    const rehearsed = await run("import", "woocommerce", fake.url, "--dry-run");
    expect(rehearsed.stdout).toContain(
      "Term 2: m2@shop.example: a new member, who chooses a new password, Yearly until",
    );
    expect(await services.codes.find("QUILT-30")).toBeUndefined();

    const whole = ["import", "woocommerce", fake.url, "--passwords", hashes, "--yes"];
    expect(await ask(...whole)).toMatchObject({ added: 2, refused: 0, from: "orders", running: 2 });
    expect(await services.codes.find("QUILT-30")).toMatchObject({ seats: 3, seatsTaken: 1 });
    const credentials = { email: "m1@shop.example", password: "plain-hedge-at-dusk", address: "203.0.113.9" };
    expect(await services.logIn(credentials)).toMatchObject({ ok: true });
    expect(await ask(...whole)).toMatchObject({ added: 0, completed: 0, same: 2, refused: 0 });
  });

  test("without keys, with an unknown plan, or with keys that are refused, nothing happens", async () => {
    await using fake = await startWooCommerceFake(shop);
    await using office = await openOffice({ WOOCOMMERCE_KEY: keys.key, WOOCOMMERCE_SECRET: "cs_wrong" });
    await using keyless = await openOffice();
    const answers = [
      await keyless.run("import", "woocommerce", fake.url),
      await office.run("import", "woocommerce", fake.url, "--map", "501=Weekly"),
      await office.run("import", "woocommerce", fake.url, "--yes"),
      await office.run("import", "woocommerce", "http://shop.example.org"),
    ];
    expect(answers.map(({ code }) => code)).toEqual([1, 2, 1, 1]);
    expect(answers[2]?.stderr).toContain("The shop refuses the keys");
    expect(answers[3]?.stderr).toContain("Write it like https://");
    expect(answers.map(({ stderr }) => stderr).join()).not.toContain("cs_wrong");
  });
});
