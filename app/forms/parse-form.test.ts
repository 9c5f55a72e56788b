import { expect, test } from "vitest";
import { z } from "zod";

import { parseForm } from "./parse-form.ts";

const ASK_EMAIL = "Please enter your email.";
const ASK_PASSWORD = "Please enter your password.";
const CANARY = "canary-pa55word";

const schema = z.object({
  email: z.string({ error: ASK_EMAIL }).max(20, "That email is too long."),
  nickname: z.string().optional(),
  password: z.string({ error: ASK_PASSWORD }).max(40, ASK_PASSWORD),
});

type Entries = [name: string, value: string | File][];

function read(entries: Entries) {
  const form = new FormData();
  for (const [name, value] of entries) form.append(name, value);
  return parseForm(form, schema, ["password"]);
}

function readRefused(entries: Entries) {
  const submission = read(entries);
  if (submission.ok) throw new Error("the form was taken");
  return submission.reply();
}

const good: Entries = [
  ["email", "ada@here.example"],
  ["password", CANARY],
];

test("a valid form gives its value", () =>
  expect(read(good)).toMatchObject({ ok: true, value: { email: "ada@here.example", password: CANARY } }));

test("a valid form that a module refuses comes back with what was typed and the reason", () => {
  const submission = read([...good, ["nickname", "Countess"]]);
  expect(submission.reply({ formErrors: ["Not tonight."] })).toMatchObject({
    status: "error",
    initialValue: { email: "ada@here.example", nickname: "Countess" },
    error: { "": ["Not tonight."] },
  });
});

test("a module's refusal about one field is shown beside that field", () => {
  const submission = read(good);
  expect(submission.reply({ fieldErrors: { email: ["This address is taken."] } })).toMatchObject({
    initialValue: { email: "ada@here.example" },
    error: { email: ["This address is taken."] },
  });
});

test("a form with a mistake comes back with what was typed and a sentence beside the field", () =>
  expect(
    readRefused([
      ["email", "much-too-long-an@address.example"],
      ["nickname", " Countess  of <b>Sleep</b>\u00a0"],
      ["password", CANARY],
    ]),
  ).toMatchObject({
    initialValue: { email: "much-too-long-an@address.example", nickname: "Countess  of <b>Sleep</b>" },
    error: { email: ["That email is too long."] },
  }));

test("an empty field is a missing one, and every mistake is told at once", () => {
  expect(readRefused([["email", ""]]).error).toEqual({ email: [ASK_EMAIL], password: [ASK_PASSWORD] });
  expect(readRefused([]).error).toEqual({ email: [ASK_EMAIL], password: [ASK_PASSWORD] });
  expect(read([...good, ["nickname", ""]])).toMatchObject({ ok: true, value: { email: "ada@here.example" } });
});

test("a mistake between fields is told of the form as a whole", () => {
  const form = new FormData();
  form.append("password", CANARY);
  form.append("again", "different");
  const twice = z
    .object({ password: z.string(), again: z.string() })
    .refine(({ password, again }) => password === again, "The two passwords differ.");
  const submission = parseForm(form, twice, ["password", "again"]);
  expect(submission.ok).toBe(false);
  expect(submission.reply()).toMatchObject({ initialValue: {}, error: { "": ["The two passwords differ."] } });
});

test.each<[string, Entries]>([
  [
    "a form that was refused",
    [
      ["email", ""],
      ["password", CANARY],
    ],
  ],
  [
    "a form whose secret is the mistake",
    [
      ["email", "a@b"],
      ["password", CANARY.repeat(10)],
    ],
  ],
  [
    "a secret that came twice",
    [
      ["email", "a@b"],
      ["password", CANARY],
      ["password", CANARY],
    ],
  ],
  [
    "a secret as a list",
    [
      ["email", "a@b"],
      ["password[]", CANARY],
    ],
  ],
  [
    "a secret with a part",
    [
      ["email", "a@b"],
      ["password.x", CANARY],
    ],
  ],
  [
    "a secret as a file",
    [
      ["email", "a@b"],
      ["password", new File([CANARY], CANARY)],
    ],
  ],
])("%s never comes back with its secret", (_case, entries) => {
  const submission = read(entries);
  expect(submission.ok).toBe(false);
  expect(JSON.stringify(submission.reply())).not.toContain(CANARY);
});

test("a form that was taken does not echo its secret either", () => {
  const submission = read(good);
  expect(JSON.stringify(submission.reply({ formErrors: ["No."] }))).not.toContain(CANARY);
  expect(submission.ok && submission.value.password).toBe(CANARY);
});

test("the intent is no field of a form", () => {
  const reply = readRefused([
    ["intent", "log-in"],
    ["email", "a@b"],
  ]);
  expect(reply.initialValue).toEqual({ email: "a@b" });
  expect(read([["intent", "log-in"], ...good])).toMatchObject({
    ok: true,
    value: expect.not.objectContaining({ intent: "log-in" }),
  });
});

test("a file where words are asked for is a mistake, and no file comes back", () => {
  const reply = readRefused([
    ["email", new File(["x"], "x.txt")],
    ["nickname", "Countess"],
    ["password", CANARY],
  ]);
  expect(reply).toMatchObject({ initialValue: { nickname: "Countess" }, error: { email: [ASK_EMAIL] } });
  expect(reply.initialValue).not.toHaveProperty("email");
});

test("a field that came twice is a mistake, and comes back empty", () => {
  const reply = readRefused([
    ["email", "a@b"],
    ["email", "c@d"],
    ["nickname", "Countess"],
    ["password", CANARY],
  ]);
  expect(reply).toMatchObject({ error: { email: [ASK_EMAIL] }, initialValue: { nickname: "Countess" } });
  expect(reply.initialValue).not.toHaveProperty("email");
});

test.each(["toString", "hasOwnProperty", "valueOf", "prototype", "unknown.x", "unknown[0]", "__INTENT__", ""])(
  "a field named %j that the form does not have harms nothing",
  (name) => {
    const submission = read([...good, [name, "harm"]]);
    expect(submission).toMatchObject({ ok: true });
    expect(submission.ok && submission.value).toEqual({ email: "ada@here.example", password: CANARY });
    expect(Object.prototype).not.toHaveProperty("x");
  },
);

test.each([
  "email.x",
  "email[0]",
  "email[]",
  "__proto__",
  "constructor",
  "password.",
  "a]b",
  "a[x]",
  "a".repeat(9) + ".a".repeat(20_000),
])("a field named %j.. is not looked at", (name) => {
  const submission = read([...good, [name, "harm"]]);
  expect(submission.ok && submission.value).toEqual({ email: "ada@here.example", password: CANARY });
});

test("a name that asks for a hundred million entries costs nothing", () => {
  expect(read([...good, ["a[99999999]", "harm"], ["email[99999999]", "harm"]])).toMatchObject({ ok: true });
});

test("fields that the form does not have are not part of its value", () => {
  const submission = read([...good, ["isAdmin", "on"], ["role", "owner"]]);
  expect(submission.ok && Object.keys(submission.value).toSorted()).toEqual(["email", "password"]);
});
