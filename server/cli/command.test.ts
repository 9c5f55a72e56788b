import { expect, test } from "vitest";

import {
  type Command,
  readCount,
  readDay,
  readEmail,
  readId,
  readInput,
  readNumbers,
  readPence,
  UsageError,
} from "./command.ts";

const command: Command = {
  summary: "",
  words: ["NAME"],
  options: { x: { value: "X", help: "" }, must: { value: "Y", help: "", isRequired: true }, flag: { help: "" } },
  example: "",
  run: async () => undefined,
};

test("words and values are read as they look, but the name of a file as it is", () => {
  const file = "Schla\u0308fer\u200b.sqlite";
  const ofFile: Command = { ...command, words: ["FILE"], options: { out: { value: "FILE", help: "" } } };
  expect(readInput(ofFile, [file, "--out", file])).toMatchObject({ words: [file] });
  expect(readInput(ofFile, [file, "--out", file]).value("out")).toBe(file);
  const { words, value } = readInput(command, ["\u200bada@dormouse.example", "--must", "jet\u00a0lag"]);
  expect([words, value("must")]).toEqual([["ada@dormouse.example"], "jet lag"]);
  expect(() => readInput(command, ["\u200b", "--must", "y"])).toThrow("NAME is missing");
});

const given = (x: string) => readInput(command, ["name", "--must", "y", `--x=${x}`]);

test.each([
  ["1500.00", 150_000],
  ["1500", 150_000],
  ["0.29", 29],
  ["1.10", 110],
  ["8.20", 820],
  ["4.35", 435],
  ["£19.99", 1999],
  ["1000000.00", 100_000_000],
])("a price of %s is so many pence, to the penny", (text, pence) => {
  expect(readPence(given(text), "x")).toBe(pence);
});

test.each(["1500.5", "1,500.00", "-1.00", "1e3", "12.345", "free", "1500.", ".50", "$5.00", "१२", "10000000000"])(
  "%s is no price",
  (text) => {
    expect(() => readPence(given(text), "x")).toThrow(UsageError);
  },
);

test.each([
  ["31/01/2027", "2027-01-31T00:00:00.000Z", "2027-01-31T23:59:59.999Z"],
  ["2027-01-31", "2027-01-31T00:00:00.000Z", "2027-01-31T23:59:59.999Z"],
  ["01/07/2027", "2027-06-30T23:00:00.000Z", "2027-07-01T22:59:59.999Z"],
  // The days on which the clocks change have 23 and 25 hours.
  ["28/03/2027", "2027-03-28T00:00:00.000Z", "2027-03-28T22:59:59.999Z"],
  ["31/10/2027", "2027-10-30T23:00:00.000Z", "2027-10-31T23:59:59.999Z"],
  ["29/02/2028", "2028-02-29T00:00:00.000Z", "2028-02-29T23:59:59.999Z"],
])("the day %s begins and ends by a clock in London", (text, first, last) => {
  expect(readDay(given(text), "x", "first")?.toISOString()).toBe(first);
  expect(readDay(given(text), "x", "last")?.toISOString()).toBe(last);
});

test.each([
  "31/02/2027",
  "29/02/2027",
  "1/2/2027",
  "2027-13-01",
  "2027/01/01",
  "00/00/0000",
  "tomorrow",
  "2027-01-01T00:00:00Z",
])("%s is no day", (text) => {
  expect(() => readDay(given(text), "x", "first")).toThrow(UsageError);
});

test("counts are whole and within their limits", () => {
  const limits = { min: 1, max: 50 };
  expect(["1", "50", "007"].map((text) => readCount(given(text), "x", limits))).toEqual([1, 50, 7]);
  for (const text of ["0", "51", "1.5", "-1", "1e1", "many", "9999999999999"]) {
    expect(() => readCount(given(text), "x", limits), text).toThrow("--x must be a whole number from 1 to 50");
  }
});

test("products are numbers with commas between, each once", () => {
  expect(readNumbers(given("117"), "x")).toEqual([117]);
  expect(readNumbers(given("117, 118"), "x")).toEqual([117, 118]);
  for (const text of ["117,", "a", "0", "117,117", "1.5"])
    expect(() => readNumbers(given(text), "x"), text).toThrow(UsageError);
});

test("addresses and numbers of emails are what they are elsewhere", () => {
  expect(readEmail(given("anna+sleep@nhs.health"), "x")).toBe("anna+sleep@nhs.health");
  expect(() => readEmail(given("anna@localhost"), "x")).toThrow(UsageError);
  expect(readId("42", "email")).toBe(42);
  expect(() => readId("4b", "email")).toThrow("An email is named by its number, not “4b”.");
});

test("options that were not given are absent", () => {
  const input = readInput(command, ["name", "--must", "y"]);
  expect(readPence(input, "x") ?? readDay(input, "x", "last") ?? readNumbers(input, "x")).toBeUndefined();
});

test.each([
  [["--must", "y"], "NAME is missing: --help shows its place."],
  [["", "--must", "y"], "NAME is missing: --help shows its place."],
  [["name"], "--must is missing: --help says what it is."],
  [["name", "--must"], "--must needs a value."],
  [["name", "--must", ""], "--must needs a value."],
  [["name", "--must", "--x"], "--must needs a value."],
  [["name", "more", "--must", "y"], "“more” is a word too many: --help shows what may stand here."],
  [["name", "--must", "y", "--colour", "red"], "There is no option --colour here: --help lists them."],
  [["name", "--must", "y", "-z"], "There is no option -z here: --help lists them."],
  [["name", "--must", "y", "--flag=yes"], "--flag takes no value."],
  [["name", "--must", "y", "--json=yes"], "--json takes no value."],
])("%j is answered with one sentence", (args, sentence) => {
  expect(() => readInput(command, args)).toThrow(new UsageError(sentence));
});
