import { describe, expect, test } from "vitest";

import { addMember, findEmail, type App, home, openApp } from "../../../tests/helpers/app.ts";
import { engines } from "../../../tests/helpers/databases.ts";
import { DAY_IN_MS } from "../../platform/clock.ts";
import { toCsv } from "../../platform/csv.ts";
import { isOwnHash } from "../../members/accounts/passwords.ts";
import { exportHeading } from "./export.ts";
import { MemberFileError, readMemberFile } from "./member-file.ts";
import { importAll, type ImportOptions } from "./moving.ts";

const usual: ImportOptions = { isRehearsal: false, isMailed: false, renewsHashes: false, skipsUnknownItems: false };

/** Made by PHP's `password_hash` of `plain-hedge-at-dusk`. */
const bcrypt = "$2y$10$Yl26b6zdKDEqEagxkjl6K.2zRcD9r66w4/N72ChMfAawtuL/tIgrK";

/** Imports a file; returns the counts, and the outcome of each line. */
async function importFile({ services }: App, text: string, options: Partial<ImportOptions> = {}) {
  const { lines } = await readMemberFile([Buffer.from(text)]);
  const told: string[] = [];
  const memberImport = services.moving.begin({ ...usual, ...options });
  const counts = await importAll(memberImport, lines, (_line, result) => {
    told.push(result.outcome === "refused" ? `refused: ${result.reason}` : result.did.join(", "));
  });
  return { counts, told };
}

async function readExport({ services }: App): Promise<string> {
  const lines: string[][] = [];
  for await (const cells of services.moving.exportMembers({ hasHashes: true })) lines.push(cells);
  return toCsv([exportHeading, ...lines]);
}

const ada = { email: "ada@shop.example", password: "plain-hedge-at-dusk", address: home.address };

const file = `email,first_name,surname,password_hash,plan,start,end,code,favourites
ada@shop.example,Ada,"Lovell, the first",${bcrypt},120,2026-11-01,,,read-1001
ben@shop.example,Ben,Byrne,,118,2020-01-01,,,
cleo@shop.example,Cleo,Marsh,,Yearly,,2027-03-31,PILLOW-27,
`;

async function openWithCode(engine: "sqlite" | "postgres") {
  const app = await openApp({ engine, content: "bundled" });
  await app.services.codes.create({ code: "PILLOW-27", seats: 1 });
  return app;
}

describe.each(engines)("an import on %s", (engine) => {
  test("members come with their passwords, terms, seats and favourites, and a second import changes nothing", async () => {
    await using app = await openWithCode(engine);
    const { membership, accounts, codes, favourites, logIn } = app.services;
    expect(await importFile(app, file)).toEqual({
      counts: { added: 3, completed: 0, same: 0, refused: 0 },
      told: [
        "a new member, Yearly until 01/11/2027, a favourite",
        "a new member, who chooses a new password, 1 Month until 01/02/2020",
        "a new member, who chooses a new password, Yearly until 31/03/2027, a seat on PILLOW-27",
      ],
    });
    const member = await accounts.findByEmail(ada.email);
    expect(member).toMatchObject({ firstName: "Ada", lastName: "Lovell, the first", accountType: "individual" });
    expect(await logIn(ada)).toMatchObject({ ok: true });
    expect(await membership.findAccess(member?.id ?? 0)).toMatchObject({ isActive: true });
    expect(await favourites.listFor(member?.id ?? 0)).toMatchObject([{ kind: "read", id: 1001 }]);
    expect((await codes.find("PILLOW-27"))?.seatsTaken).toBe(1);
    expect((await importFile(app, file)).counts).toEqual({ added: 0, completed: 0, same: 3, refused: 0 });
    await app.pass(DAY_IN_MS);
    await app.services.jobs.run("send-ending-emails");
    expect(await findEmail(app, "ben@shop.example"), "his term was over before he came").toBeUndefined();
  });

  test("a refused line leaves nothing behind, and the others are brought", async () => {
    await using app = await openWithCode(engine);
    const two = `${file}dora@shop.example,Dora,Zhou,,Yearly,,2027-03-31,PILLOW-27,1001\neve@shop.example,,,,,,,,99999\n`;
    const { counts, told } = await importFile(app, two);
    expect(counts).toEqual({ added: 3, completed: 0, same: 0, refused: 2 });
    expect(told.slice(3)).toEqual([
      expect.stringMatching(/^refused: Code PILLOW-27: /),
      "refused: Its favourites include 99999, which isn't an item here.",
    ]);
    for (const email of ["dora@shop.example", "eve@shop.example"]) {
      expect(await app.services.accounts.findByEmail(email)).toBeUndefined();
    }
    const again = await importFile(app, two, { skipsUnknownItems: true });
    expect(again.told.at(-1)).toBe("a new member, who chooses a new password");
  });

  test("a rehearsal says the same as the import does, and keeps nothing", async () => {
    await using app = await openWithCode(engine);
    const longer = `${file}dora@shop.example,,,,Yearly,,2027-03-31,PILLOW-27,\nada@shop.example,,,,118,2025-01-01,,,\n`;
    const rehearsed = await importFile(app, longer, { isRehearsal: true });
    expect(await app.services.accounts.findByEmail(ada.email)).toBeUndefined();
    expect((await app.services.codes.find("PILLOW-27"))?.seatsTaken).toBe(0);
    const { counts } = await importFile(app, longer);
    expect(rehearsed.counts).toEqual(counts);
    expect(counts).toEqual({ added: 3, completed: 1, same: 0, refused: 1 });
  });

  test("what leaves comes back as it was", async () => {
    await using app = await openWithCode(engine);
    await importFile(app, `${file}ada@shop.example,,,,118,2025-01-01,,,\n=sum@shop.example,=1+1,'x',,,,,,\n`);
    const exported = await readExport(app);
    await using other = await openWithCode(engine);
    const { counts } = await importFile(other, exported);
    expect(counts).toEqual({ added: 4, completed: 1, same: 0, refused: 0 });
    expect(await readExport(other)).toBe(exported);
  });
});

describe("the email about the move", () => {
  test("each member who was brought gets one, whenever the operator says so", async () => {
    await using app = await openWithCode("sqlite");
    await addMember(app, { email: "cleo@shop.example" });
    expect((await importFile(app, file)).told.join()).not.toContain("an email");
    const { told } = await importFile(app, file, { isMailed: true });
    expect(told, "Cleo joined by herself").toEqual(["an email", "an email", ""]);
    expect((await findEmail(app, ada.email))?.text).toMatch(/email\s+address and password as before/);
    const toBen = await findEmail(app, "ben@shop.example");
    expect(toBen?.text).toContain("choose a new password");
    expect(toBen?.text).not.toContain("still ends");
    const sent = app.emails.length;
    expect((await importFile(app, file, { isMailed: true })).counts.same).toBe(3);
    await app.pass(100 * DAY_IN_MS);
    await importFile(app, file, { isMailed: true });
    await app.services.outbox.deliver();
    expect(app.emails.filter(({ subject }) => subject.includes("is now at Dormouse")).length).toBe(sent);
  });
});

describe("the password of an account that is there", () => {
  const other = `email,password_hash\nada@shop.example,${bcrypt.replace("tIgrK", "tIgrC")}\n`;

  test("is left alone, unless its operator says otherwise and the member has not logged in", async () => {
    await using app = await openWithCode("sqlite");
    const readHash = async () =>
      (
        await app.db
          .selectFrom("members")
          .select("passwordHash")
          .where("emailKey", "=", ada.email)
          .executeTakeFirstOrThrow()
      ).passwordHash;
    await importFile(app, file);
    expect((await importFile(app, other)).counts.same).toBe(1);
    expect(await readHash()).toBe(bcrypt);
    expect((await importFile(app, other, { renewsHashes: true })).told).toEqual(["another password"]);
    expect(await readHash()).not.toBe(bcrypt);
    expect((await importFile(app, file, { renewsHashes: true })).counts.completed).toBe(1);
    await app.services.logIn(ada);
    expect((await importFile(app, other, { renewsHashes: true })).counts.same).toBe(1);
    expect(isOwnHash(await readHash())).toBe(true);
  });
});

describe("a file", () => {
  const readAll = async (text: string) => {
    const numbers: number[] = [];
    const { lines } = await readMemberFile([Buffer.from(text)]);
    try {
      for await (const line of lines) numbers.push(line.number);
    } catch (error) {
      if (error instanceof MemberFileError) return { numbers, message: error.message };
      throw error;
    }
    return { numbers, message: "" };
  };

  test("is read up to the line where a quote is never closed, which is named", async () => {
    const { numbers, message } = await readAll(`email,name\na@b.example,Ada\nb@b.example,"Ben\nc@b.example,Cleo\n`);
    expect(numbers).toEqual([2]);
    expect(message).toMatch(/^We can't read line \d+: a quotation mark opens there/);
    const { message: long } = await readAll(`email,name\nb@b.example,"${"Ben\n".repeat(50_000)}`);
    expect(long).toContain("a quotation mark opens there");
  });

  test("may have a byte order mark, empty lines, line breaks in cells, and quotes inside", async () => {
    const text = '\uFEFFemail,name\r\na@b.example,"Ada\nLovell"\r\n\r\nb@b.example,Ben "Bo" Byrne\r\n';
    expect(await readAll(text)).toEqual({ numbers: [3, 5], message: "" });
  });

  const byMark = { LE: "\uFEFF", none: "" };
  test.each<[string, Buffer]>([
    ["semicolons", Buffer.from("email;name\nb@b.example;Bo, Jr\n")],
    ["tabs", Buffer.from('"email"\t"name"\r\nb@b.example\tBo, Jr\r\n')],
    ["bars", Buffer.from("email|name\nb@b.example|Bo, Jr")],
    ["sep=, a byte order mark and semicolons", Buffer.from("\uFEFFsep=;\r\nemail;name\r\nb@b.example;Bo, Jr\r\n")],
    ["a sep= in quotes that names another sign", Buffer.from('"sep=^"\nemail^name\nb@b.example^Bo, Jr\n')],
    ["lines that end as on an old Mac", Buffer.from("email;name\rb@b.example;Bo, Jr\r")],
    ["UTF-16 with its mark", Buffer.from(`${byMark.LE}email\tname\r\nb@b.example\tBo, Jr\r\n`, "utf16le")],
    ["UTF-16 of the other order", Buffer.from(`${byMark.LE}email\tname\nb@b.example\tBo, Jr`, "utf16le").swap16()],
    ["UTF-16 without a mark", Buffer.from("email;name\nb@b.example;Bo, Jr\n", "utf16le")],
    [
      "the empty cells of a spreadsheet",
      Buffer.from('email,name,,\nb@b.example,"Bo, Jr",,,\n , ,,\n,,,\n;\n'.slice(0, -2)),
    ],
  ])("may have %s", async (_what, bytes) => {
    for (const pieces of [[bytes], Array.from(bytes, (byte) => Uint8Array.of(byte))]) {
      const found: unknown[] = [];
      const { lines } = await readMemberFile(pieces);
      for await (const line of lines) found.push(line.ok ? [line.member.email, line.member.firstName] : line.refusal);
      expect(found).toEqual([["b@b.example", "Bo,"]]);
    }
  });

  test("keeps the numbers of its lines behind a line that names the separator", async () => {
    expect((await readAll("sep=;\nemail;name\na@b.example;Ada\n;;;\nb@b.example;Ben\n")).numbers).toEqual([3, 5]);
  });

  test.each([
    ["", "The file is empty."],
    ["\uFEFF\n,,\n", "The file is empty."],
    ["name,plan\nAda,1\n", "one of them must be email"],
    ["email:name\na@b.example:Ada\n", "one of them must be email. It has: email:name"],
    ["sep=x\nemailxname\n", "“sep=x” must name a separator: a comma, a semicolon or a tab"],
    ["sep=\nemail,name\n", "must name a separator"],
    ["PK\u0003\u0004", "This is a spreadsheet (XLSX, ODS or Numbers), not a CSV file"],
  ])("%j is refused", async (text, words) => {
    await expect(readMemberFile([Buffer.from(text)])).rejects.toThrow(words);
  });
});
