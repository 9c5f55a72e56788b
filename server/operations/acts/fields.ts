import { z } from "zod";

import { isEmail } from "../../platform/email-address.ts";
import { after, DAY_IN_MS } from "../../platform/clock.ts";
import { fromWall } from "../../platform/london-calendar.ts";

/** An input of an act's form at the desk, and an option of its command. */
export type Field<Value = unknown> = {
  label: string;
  hint?: string;
  /** Gets `undefined` where nothing was typed. */
  schema: z.ZodType<Value, string | undefined>;
  /** Its value in a command's help: `--seats N`. An option without one is a flag, whose text is "yes". */
  value?: string;
  /** The option's name, if not the field's own; "" for a word of the command. */
  option?: string;
  type?: "text" | "email";
  options?: Choice[];
  isOptional?: boolean;
  /** The height and the limit in characters of a text with several lines. */
  lines?: number;
  maxLength?: number;
  /** A fixed text in place of an input in the form. */
  atDesk?: string;
};

export type Choice = { value: string; label: string };

export type FieldValues<Fields extends Record<string, Field>> = {
  [Name in keyof Fields]: Fields[Name] extends Field<infer Value> ? Value : never;
};

/** `firstName` becomes `--first-name`. */
export function optionName(name: string, { option }: Pick<Field, "option">): string {
  return option ?? name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/* Checks of fields; each refuses with the given sentence. */

export const anyText = z.string().default("");

export const optionalText = z.string().optional();

export function wholeNumber({ min, max, error }: { min: number; max: number; error: string }) {
  return z
    .string({ error })
    .regex(/^\d{1,9}$/, error)
    .transform(Number)
    .refine((count) => count >= min && count <= max, error);
}

export function emailAddress(error: string) {
  return z.string({ error }).trim().refine(isEmail, error);
}

/** A day's first or last millisecond in London, or nothing. */
export function optionalDay(edge: "first" | "last", error: string) {
  return z
    .string()
    .trim()
    .optional()
    .transform((text, ctx) => {
      if (text === undefined || text === "") return undefined;
      const day = parseDay(text, edge);
      if (day === undefined) ctx.addIssue(error);
      return day;
    });
}

export function pence({ max, error }: { max: number; error: string }) {
  return z.string({ error }).transform((text, ctx) => {
    const sum = parsePence(text.trim());
    if (sum !== undefined && sum >= 1 && sum <= max) return sum;
    ctx.addIssue(error);
    return z.NEVER;
  });
}

export function optionalNumbers(error: string) {
  return z
    .string()
    .optional()
    .transform((text, ctx) => {
      if (text === undefined || text === "") return undefined;
      const numbers = text.split(",").map((part) => (/^\s*\d{1,9}\s*$/.test(part) ? Number(part) : 0));
      if (numbers.some((number) => number < 1) || new Set(numbers).size !== numbers.length) ctx.addIssue(error);
      return numbers;
    });
}

export function choiceField<const Value extends string>(values: readonly Value[], error: string) {
  return z.enum(values, { error });
}

export const flag = z
  .string()
  .optional()
  .transform((text) => text === "yes");

/** In London, of a day such as 31/01/2027 or 2027-01-31. */
export function parseDay(text: string, edge: "first" | "last"): Date | undefined {
  const midnight = toMidnight(text);
  if (!midnight || edge === "first") return midnight && fromWall(midnight);
  return after(fromWall(after(midnight, DAY_IN_MS)), -1);
}

function toMidnight(text: string): Date | undefined {
  const [, year, month, day] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text) ?? [];
  const [, ukDay, ukMonth, ukYear] = /^(\d{2})\/(\d{2})\/(\d{4})$/.exec(text) ?? [];
  const numbers = [year ?? ukYear, month ?? ukMonth, day ?? ukDay].map(Number) as [number, number, number];
  const midnight = new Date(Date.UTC(numbers[0], numbers[1] - 1, numbers[2]));
  // JavaScript turns 31 February into 3 March.
  const isDay = midnight.getUTCMonth() === numbers[1] - 1 && midnight.getUTCFullYear() === numbers[0];
  return isDay ? midnight : undefined;
}

/** Reads pounds and pence separately, because 0.29 times 100 is 28.999999999999996. */
function parsePence(text: string): number | undefined {
  const [, pounds, rest = "00"] = /^£?(\d{1,7})(?:\.(\d{2}))?$/.exec(text) ?? [];
  return pounds === undefined ? undefined : Number(pounds) * 100 + Number(rest);
}
