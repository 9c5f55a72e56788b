import { expect, test } from "vitest";

import { type Command, readCount, readEmail, readInput, UsageError } from "./command.ts";

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

test("counts are whole and within their limits", () => {
  const limits = { min: 1, max: 50 };
  expect(["1", "50", "007"].map((text) => readCount(given(text), "x", limits))).toEqual([1, 50, 7]);
  for (const text of ["0", "51", "1.5", "-1", "1e1", "many", "9999999999999"]) {
    expect(() => readCount(given(text), "x", limits), text).toThrow("--x must be a whole number from 1 to 50");
  }
});

test("addresses are what they are elsewhere", () => {
  expect(readEmail(given("anna+sleep@nhs.health"), "x")).toBe("anna+sleep@nhs.health");
  expect(() => readEmail(given("anna@localhost"), "x")).toThrow(UsageError);
});

test("options that were not given are absent", () => {
  const input = readInput(command, ["name", "--must", "y"]);
  expect(readCount(input, "x", { min: 1, max: 9 }) ?? readEmail(input, "x")).toBeUndefined();
});

test.each([
  [["--must", "y"], "NAME is missing. See --help."],
  [["", "--must", "y"], "NAME is missing. See --help."],
  [["name"], "--must is missing. See --help."],
  [["name", "--must"], "--must needs a value."],
  [["name", "--must", ""], "--must needs a value."],
  [["name", "--must", "--x"], "--must needs a value."],
  [["name", "more", "--must", "y"], "“more” is one word too many. See --help."],
  [["name", "--must", "y", "--colour", "red"], "There is no option --colour. See --help."],
  [["name", "--must", "y", "-z"], "There is no option -z. See --help."],
  [["name", "--must", "y", "--flag=yes"], "--flag takes no value."],
  [["name", "--must", "y", "--json=yes"], "--json takes no value."],
])("%j is answered with one sentence", (args, sentence) => {
  expect(() => readInput(command, args)).toThrow(new UsageError(sentence));
});
