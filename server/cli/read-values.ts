import { isEmail } from "../accounts/rules.ts";
import { after, DAY_IN_MS } from "../clock.ts";
import { fromWall } from "../membership/london-clock.ts";
import { UsageError, type Input } from "./command.ts";

/** Reads what stands behind options. Each throws a `UsageError` that says how it should be written. */

/** For options that are required: `readInput` has made sure that they are there. */
export function need<Value>(value: Value | undefined, name: string): Value {
  if (value === undefined) throw new UsageError(`--${name} is missing.`);
  return value;
}

/** A whole number between two others. */
export function readCount(input: Input, name: string, { min, max }: { min: number; max: number }): number | undefined {
  const text = input.value(name);
  if (text === undefined) return undefined;
  const count = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
  if (!(count >= min && count <= max)) {
    throw new UsageError(`--${name} must be a whole number from ${min} to ${max}, not “${text}”.`);
  }
  return count;
}

export function readChoice<Choice extends string>(input: Input, name: string, choices: Choice[]): Choice | undefined {
  const text = input.value(name);
  if (text === undefined) return undefined;
  const choice = choices.find((each) => each === text);
  if (choice === undefined) throw new UsageError(`--${name} must be one of ${choices.join(", ")}, not “${text}”.`);
  return choice;
}

/** Product ids with commas between. */
export function readNumbers(input: Input, name: string): number[] | undefined {
  const numbers = input
    .value(name)
    ?.split(",")
    .map((part) => (/^\s*\d{1,9}\s*$/.test(part) ? Number(part) : 0));
  if (numbers?.some((number) => number < 1) || new Set(numbers).size !== (numbers?.length ?? 0)) {
    throw new UsageError(`--${name} must be numbers with commas between, each once, such as 117,118.`);
  }
  return numbers;
}

/** The first or the last millisecond of a day in London. */
export function readDay(input: Input, name: string, edge: "first" | "last"): Date | undefined {
  const text = input.value(name);
  if (text === undefined) return undefined;
  const [, year, month, day] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text) ?? [];
  const [, ukDay, ukMonth, ukYear] = /^(\d{2})\/(\d{2})\/(\d{4})$/.exec(text) ?? [];
  const numbers = [year ?? ukYear, month ?? ukMonth, day ?? ukDay].map(Number) as [number, number, number];
  const midnight = new Date(Date.UTC(numbers[0], numbers[1] - 1, numbers[2]));
  // The 31st of February is the 3rd of March to a computer.
  const isDay = midnight.getUTCMonth() === numbers[1] - 1 && midnight.getUTCFullYear() === numbers[0];
  if (!isDay) throw new UsageError(`--${name} must be a day such as 31/01/2027 or 2027-01-31, not “${text}”.`);
  return edge === "first" ? fromWall(midnight) : after(fromWall(after(midnight, DAY_IN_MS)), -1);
}

/** Pounds as people write them, in pence: digits are taken apart, because 0.29 times 100 is 28.999999999999996. */
export function readPence(input: Input, name: string): number | undefined {
  const text = input.value(name);
  if (text === undefined) return undefined;
  const [, pounds, pence = "00"] = /^£?(\d{1,7})(?:\.(\d{2}))?$/.exec(text) ?? [];
  if (pounds === undefined) {
    throw new UsageError(`--${name} must be pounds and pence such as 1500.00, not “${text}”.`);
  }
  return Number(pounds) * 100 + Number(pence);
}

export function readEmail(input: Input, name: string): string | undefined {
  const text = input.value(name);
  if (text !== undefined && !isEmail(text)) throw new UsageError(`--${name} must be an e-mail address, not “${text}”.`);
  return text;
}

/** A number as it stands in the first column of a list. */
export function readId(word: string | undefined, what: string): number {
  if (!/^\d{1,9}$/.test(word ?? "")) throw new UsageError(`A ${what} is named by its number, not “${word ?? ""}”.`);
  return Number(word);
}
