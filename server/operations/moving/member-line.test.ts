import { expect, test } from "vitest";

import { listPlans, plans } from "../../money/membership/plans.ts";
import { type Heading, readHeading, readLine } from "./member-line.ts";

const planNames = listPlans()
  .map(({ label }) => label)
  .join(", ");

const headings = [
  "email",
  "first_name",
  "surname",
  "password_hash",
  "type",
  "plan",
  "start",
  "end",
  "code",
  "favourites",
];

function readHeadings(cells: string[]): Heading {
  const heading = readHeading(cells);
  if ("refusal" in heading) throw new Error(heading.refusal);
  return heading;
}

function read(cells: Record<string, string>) {
  return readLine(
    headings.map((name) => cells[name] ?? ""),
    readHeadings(headings),
  );
}

const bcrypt = "$2y$10$Yl26b6zdKDEqEagxkjl6K.2zRcD9r66w4/N72ChMfAawtuL/tIgrK";

test("a line is read whole", () => {
  const cells = { first_name: " Ada ", surname: "O'Neill", password_hash: bcrypt, plan: "120", start: "2026-11-20" };
  expect(read({ email: "Ada@Shop.example", ...cells, favourites: "1001, read-1002" })).toEqual({
    ok: true,
    member: {
      email: "Ada@Shop.example",
      firstName: "Ada",
      lastName: "O'Neill",
      passwordHash: bcrypt,
      accountType: "individual",
      term: {
        planType: 3,
        startsAt: new Date("2026-11-20T00:00:00.000Z"),
        endsAt: new Date("2027-11-20T00:00:00.000Z"),
      },
      code: undefined,
      favourites: ["1001", "read-1002"],
      joinedAt: undefined,
    },
  });
});

test("a domain in ASCII is the same as in letters", () => {
  for (const email of ["otto@müller.example", "otto@xn--mller-kva.example"]) {
    expect(read({ email })).toMatchObject({ ok: true, member: { email: "otto@müller.example" } });
  }
});

test("names come as they were typed, not as WordPress stores them", () => {
  expect(
    read({ email: "a@b.example", first_name: "Anna &amp; Ben", surname: "O&#039;Neill &amp;amp; Co" }),
  ).toMatchObject({
    member: { firstName: "Anna & Ben", lastName: "O'Neill &amp; Co" },
  });
  const line = readLine(["a@b.example", "Anna &amp; Ben"], readHeadings(["email", "display_name"]));
  expect(line).toMatchObject({ member: { firstName: "Anna", lastName: "& Ben" } });
});

test("headings are known by other names too, in any order, and others are left out", () => {
  const { places, ignored } = readHeadings(["User Email", "id", "Name", "user-pass", "note"]);
  expect(places).toEqual({ email: 0, name: 2, password: 3 });
  expect(ignored).toEqual(["id", "note"]);
  const line = readLine(["ada@shop.example", "7", "Ada Maria Lovell", "", ""], { places, width: 5 });
  expect(line).toMatchObject({ ok: true, member: { firstName: "Ada", lastName: "Maria Lovell" } });
});

test.each([
  [["name", "plan"], "one of them must be email"],
  [["email", "address"], "two columns for email"],
])("the heading %j is refused", (cells, words) => {
  expect(readHeading(cells)).toEqual({ refusal: expect.stringContaining(words) });
});

test.each(["Yearly", "yearly", "12 months", "3", "120"])("the plan “%s” is the yearly one", (plan) => {
  expect(read({ email: "a@b.example", plan, end: "2027-01-31" })).toMatchObject({
    member: { term: { planType: plans[3].type, endsAt: new Date("2027-01-31T23:59:59.999Z") } },
  });
});

test.each([
  ["2027-06-01", "2027-05-31T23:00:00.000Z"],
  ["01/06/2027", "2027-05-31T23:00:00.000Z"],
  ["2027-06-01 10:20:30", "2027-06-01T10:20:30.000Z"],
  ["2027-06-01T10:20:30.123Z", "2027-06-01T10:20:30.123Z"],
  ["2027-06-01T10:20:30+02:00", "2027-06-01T08:20:30.000Z"],
])("%s begins at %s", (start, instant) => {
  expect(read({ email: "a@b.example", plan: "1 Month", start })).toMatchObject({
    member: { term: { startsAt: new Date(instant) } },
  });
});

test("a code makes a corporate member, an empty date of MySQL is none, and an unknown hash is none", () => {
  expect(read({ email: "a@b.example", code: "pillow-27", start: "0000-00-00 00:00:00" })).toMatchObject({
    member: { accountType: "corporate", code: "pillow-27", term: undefined },
  });
  expect(read({ email: "a@b.example", password_hash: "5f4dcc3b5aa765d61d8327deb882cf99" })).toMatchObject({
    member: { passwordHash: undefined },
  });
});

test("what a line leaves out may be said for all lines", () => {
  const endsAt = new Date("2027-01-31T23:59:59.999Z");
  const heading = readHeadings(["email"]);
  expect(readLine(["a@b.example"], heading, { plan: plans[1], endsAt })).toMatchObject({
    member: { term: { planType: 1, endsAt } },
  });
});

test.each<[Record<string, string>, string]>([
  [{}, "It has no email address."],
  [{ email: "ada" }, "“ada” isn't an email address."],
  [{ email: "a@b.example", first_name: "x".repeat(81) }, "A name has more than 80 characters."],
  [{ email: "a@b.example", first_name: "Z\uFFFD" }, "It isn't in UTF-8."],
  [{ email: "a@b.example", type: "staff" }, "The type must be individual or corporate, not “staff”."],
  [{ email: "a@b.example", type: "individual", code: "PILLOW-27" }, "Only a corporate member can have a code."],
  [{ email: "a@b.example", code: "?!" }, "“?!” can't be a code."],
  [{ email: "a@b.example", plan: "weekly" }, `“weekly” isn't a plan. The plans are ${planNames}.`],
  [{ email: "a@b.example", plan: "1" }, "It has a plan but no start or end date."],
  [{ email: "a@b.example", end: "2027-01-31" }, "It has dates but no plan."],
  [{ email: "a@b.example", plan: "1", end: "31.1.2027" }, "“31.1.2027” isn't a day for end. Write it like 2027-01-31."],
  [
    { email: "a@b.example", plan: "1", end: "2027-02-31" },
    "“2027-02-31” isn't a day for end. Write it like 2027-01-31.",
  ],
  [{ email: "a@b.example", plan: "1", end: "2027-02-31 10:00:00" }, "isn't a day for end"],
  [{ email: "a@b.example", plan: "1", start: "2027-02-01", end: "2027-01-01" }, "Its term ends before it starts."],
  [
    { email: "a@b.example", password_hash: "$2y$13$Yl26b6zdKDEqEagxkjl6K.2zRcD9r66w4/N72ChMfAawtuL/tIgrK" },
    "takes too long to check",
  ],
])("%j is refused", (cells, words) => {
  expect(read(cells)).toEqual({ ok: false, refusal: expect.stringContaining(words) });
});

test("a line with other cells than the heading is refused", () => {
  expect(readLine(["a@b.example", "x"], readHeadings(["email"]))).toEqual({
    ok: false,
    refusal: "It has 2 cells, but the heading has 1.",
  });
});
