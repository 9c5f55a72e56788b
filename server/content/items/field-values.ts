/* Numbers, durations and days as people type them and as ACF writes them. */

/** With a point or a comma. */
export function readNumber(given: unknown): number | undefined {
  if (typeof given === "number") return Number.isFinite(given) ? given : undefined;
  if (typeof given !== "string") return undefined;
  const text = given.trim();
  return /^[+-]?\d{1,15}(?:[.,]\d{1,15})?$/.test(text) ? Number(text.replace(",", ".")) : undefined;
}

/** In seconds: `750` in `unit`, `12:30`, `1:02:03`, `PT12M30S`, `12 min 30 s`. */
export function readDuration(given: string | number, unit: "s" | "min"): number | undefined {
  const number = readNumber(given);
  if (number !== undefined) return number >= 0 ? number * (unit === "min" ? 60 : 1) : undefined;
  const text = String(given).trim().toLowerCase().replace(/[’′']/g, "m").replace(/[”″"]/g, "s");
  const [, hours = 0, minutes, seconds] = /^(?:(\d{1,2}):)?(\d{1,4}):(\d\d)$/.exec(text) ?? [];
  if (minutes !== undefined) return Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds);
  const [, ...parts] = iso.exec(text) ?? words.exec(text) ?? [];
  if (parts.every((part) => part === undefined)) return undefined;
  const [h, m, s] = parts.map((part) => Number((part ?? "0").replace(",", ".")));
  return (h ?? 0) * 3600 + (m ?? 0) * 60 + (s ?? 0);
}

const amount = String.raw`(\d{1,6}(?:[.,]\d{1,6})?)`;
/** ISO 8601, section 5.5.2, without years, months and days. */
const iso = new RegExp(`^pt(?:${amount}h)?(?:${amount}m)?(?:${amount}s)?$`);
const words = new RegExp(
  `^(?:${amount} ?h(?:(?:ou)?rs?)?)?,? ?(?:and )?(?:${amount} ?m(?:in(?:ute)?s?)?)?[.,]? ?(?:and )?(?:${amount} ?s(?:ec(?:ond)?s?)?)?\\.?$`,
);

const months = "january february march april may june july august september october november december".split(" ");

/**
 * A day as `2026-11-16`, from ACF's own form (`20261116`) or a format of its date picker (`16/11/2026`, `November 16,
 * 2026`). The day precedes the month where both are possible.
 */
export function readDay(given: unknown): string | undefined {
  if (typeof given !== "string" && typeof given !== "number") return undefined;
  const text = String(given).trim().toLowerCase().replace(timeOfDay, "").replace(weekday, "");
  const compact = /^(\d{4})(\d\d)(\d\d)$/.exec(text) ?? /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})$/.exec(text);
  if (compact) return toDay(compact[1], compact[2], compact[3]);
  const [, one = "", other, year] = /^(\d{1,2})[-/. ]+(\d{1,2})[-/. ]+(\d{4})$/.exec(text) ?? [];
  if (year) return toDay(year, other, one) ?? toDay(year, one, other);
  const named =
    /^(?<day>\d{1,2})(?:st|nd|rd|th)?[-. ]+(?:of )?(?<month>[a-z]{3,9})[-., ]+(?<year>\d{4})$/.exec(text) ??
    /^(?<month>[a-z]{3,9})\.? (?<day>\d{1,2})(?:st|nd|rd|th)?,? (?<year>\d{4})$/.exec(text);
  const { day, month = "", year: namedYear } = named?.groups ?? {};
  const number = month === "" ? 0 : months.findIndex((name) => name.startsWith(month)) + 1;
  return number > 0 ? toDay(namedYear, String(number), day) : undefined;
}

const timeOfDay = /(?:t|,? )\d{1,2}:\d\d(?::\d\d)?(?:\.\d{1,9})?(?: ?[ap]m)?(?:z|[+-]\d\d:?\d\d)?$/;
const weekday = /^(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?,? /;

function toDay(year = "", month = "", day = ""): string | undefined {
  const text = `${year}-${month.padStart(2, "0")}-${day.padStart(2, "0")}`;
  const date = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text) ? text : undefined;
}
