import { execFile, execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";

import { findChromium } from "../tests/helpers/chromium.ts";
import { screens, type Screen } from "./browser-rows.ts";
import { median } from "./measure.ts";
import { amountRow, type Row } from "./report.ts";
import type { App, Stage } from "./stage.ts";

/** Lighthouse is in `bench/package.json`, because only this file needs it. */
const PROGRAM = join("bench", "node_modules", "lighthouse", "cli", "index.js");
const REPORT_MAX_BYTES = 64 * 2 ** 20;
/** Chromium sometimes loses the trace of a visit ("NO_NAVSTART: Please run Lighthouse again"). */
const ATTEMPTS = 3;

const categories = ["performance", "accessibility", "best-practices", "seo"] as const;
const times = {
  firstPaint: "first-contentful-paint",
  largestPaint: "largest-contentful-paint",
  blocking: "total-blocking-time",
  shift: "cumulative-layout-shift",
} as const;

type Report = {
  categories: Record<(typeof categories)[number], { score: number | null }>;
  audits: Record<string, { numericValue?: number }>;
};

/** A screen's figures, each the median of the rounds: scores of 100, times in milliseconds. */
type Figures = { what: string; scores: number[] } & Record<keyof typeof times, number>;

/** W4 and W5 by Lighthouse itself: its mobile profile, with simulated connection and processor. */
export async function lighthouseRows(
  { everyday }: Pick<Stage, "everyday">,
  { rounds }: { rounds: number },
): Promise<Row[]> {
  if (!existsSync(PROGRAM)) execFileSync("npm", ["ci", "--prefix", "bench"], { stdio: "inherit" });
  const seen: Figures[] = [];
  for (const screen of screens) {
    const reports: Report[] = [];
    for (let round = 0; round < rounds; round += 1) reports.push(await audit(everyday, screen));
    seen.push(toFigures(screen.what, reports));
  }
  return [
    ...seen.map(({ what, scores }) => ({
      id: "W4",
      what: `Lighthouse: ${what}`,
      figure: scores.join(", "),
      beside: "",
      ratio: "",
      bar: "100 each",
      isMet: scores.every((score) => score === 100),
    })),
    ...seen.map(({ what, largestPaint }) =>
      amountRow(
        { id: "W5", what: `Lighthouse's largest paint: ${what}` },
        { amount: largestPaint / 1000, max: 1.5, unit: "s", digits: 2 },
      ),
    ),
    worstRow(seen, "first paint", { of: ({ firstPaint }) => firstPaint / 1000, max: 1, unit: "s", digits: 2 }),
    worstRow(seen, "blocking", { of: ({ blocking }) => blocking, max: 50, unit: "ms", digits: 0 }),
    worstRow(seen, "shift", { of: ({ shift }) => shift, max: 0, unit: "", digits: 3 }),
  ];
}

async function audit(app: App, screen: Screen, attempt = 1): Promise<Report> {
  const { server, cookie } = app;
  const { path, isForVisitors } = screen;
  const options = [
    "--quiet",
    "--output=json",
    `--only-categories=${categories.join(",")}`,
    "--chrome-flags=--headless=new --no-sandbox --disable-gpu",
    ...(isForVisitors ? [] : [`--extra-headers=${JSON.stringify({ Cookie: cookie })}`]),
  ];
  try {
    const { stdout } = await promisify(execFile)(process.execPath, [PROGRAM, server.origin + path, ...options], {
      env: { ...process.env, CHROME_PATH: findChromium() },
      maxBuffer: REPORT_MAX_BYTES,
    });
    return JSON.parse(stdout) as Report;
  } catch (error) {
    if (attempt === ATTEMPTS) throw error;
    return audit(app, screen, attempt + 1);
  }
}

function toFigures(what: string, reports: Report[]): Figures {
  const middle = (of: (report: Report) => number | null | undefined) =>
    median(reports.map((report) => of(report) ?? Number.NaN));
  const timed = Object.entries(times).map(([name, audited]) => [
    name,
    middle(({ audits }) => audits[audited]?.numericValue),
  ]);
  return {
    what,
    scores: categories.map((category) => Math.round(100 * middle((report) => report.categories[category].score))),
    ...(Object.fromEntries(timed) as Record<keyof typeof times, number>),
  };
}

type Worst = { of: (figures: Figures) => number; max: number; unit: string; digits: number };

function worstRow(seen: Figures[], what: string, { of, ...limit }: Worst): Row {
  const [worst] = seen.toSorted((a, b) => of(b) - of(a));
  const amount = worst ? of(worst) : Number.NaN;
  return amountRow({ id: "W5", what: `Lighthouse's ${what}, at most (${worst?.what})` }, { amount, ...limit });
}
