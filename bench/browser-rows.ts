import type { Browser } from "@playwright/test";

import { budgets } from "../tools/budgets.ts";
import { makeEmail, choosePlan, fillDetails, sendDetails } from "../tests/e2e/sign-up-steps.ts";
import { lookAt, measureDelay, openBrowser, openTelephone, type Look, type Press } from "./browser-visits.ts";
import { median } from "./measure.ts";
import { everydayPages } from "./pages.ts";
import { amountRow, type Row } from "./report.ts";
import type { App, Stage } from "./stage.ts";

const PAYMENT = "sign-up, payment";

export type Screen = { what: string; path: string; isForVisitors?: boolean; isForm?: boolean };

const { landing, list, article, search } = everydayPages;
/** Every screen with an address. */
export const screens: Screen[] = [
  { what: "/login", path: "/login", isForVisitors: true, isForm: true },
  { what: "/signup", path: "/signup", isForVisitors: true, isForm: true },
  { what: "sign-up, details", path: "/signup?step=1", isForVisitors: true, isForm: true },
  landing,
  list,
  { what: "list of articles", path: "/?view=read" },
  article,
  { what: "video", path: "/?view=watch&item=1" },
  search,
  { what: "favourites", path: "/?view=favourites" },
  { what: "My Account", path: "/?account=open", isForm: true },
];

type Effort = { rounds: number };
type Seen = { what: string; looks: Look[] };

/**
 * W5 to W8, and W1 and W3 in a browser: Lighthouse's phone, connection and processor, each screen with an empty cache.
 */
export async function browserRows({ everyday }: Pick<Stage, "everyday">, { rounds }: Effort): Promise<Row[]> {
  const browser = await openBrowser();
  try {
    const seen: Seen[] = [];
    for (const screen of screens)
      seen.push({ what: screen.what, looks: await lookOften(browser, everyday, { screen, rounds }) });
    seen.push({ what: PAYMENT, looks: await lookAtPayment(browser, everyday, rounds) });
    return [...lookRows(seen), ...(await delayRows(browser, everyday, rounds))];
  } finally {
    await browser.close();
  }
}

type Turn = { screen: Screen; rounds: number };

async function lookOften(browser: Browser, app: App, { screen, rounds }: Turn): Promise<Look[]> {
  const looks: Look[] = [];
  for (let round = 0; round < rounds; round += 1) {
    await using context = await openTelephone(browser, screen.isForVisitors ? { server: app.server } : app);
    looks.push(await lookAt(context, app.server.origin + screen.path));
  }
  return looks;
}

/** Earns the step by those before it, then opens it with an empty cache. */
async function lookAtPayment(browser: Browser, { server }: App, rounds: number): Promise<Look[]> {
  await using earning = await openTelephone(browser, { server });
  const page = await earning.newPage();
  await page.goto(`${server.origin}/signup?step=1`);
  await fillDetails(page, makeEmail());
  await sendDetails(page);
  await choosePlan(page, "Yearly");
  const cookies = await earning.cookies();
  const looks: Look[] = [];
  for (let round = 0; round < rounds; round += 1) {
    await using context = await openTelephone(browser, { server });
    await context.addCookies(cookies);
    looks.push(await lookAt(context, `${server.origin}/signup?step=3`));
  }
  return looks;
}

/** The largest paint of each screen; of all else the worst value of any screen. */
function lookRows(seen: Seen[]): Row[] {
  const middle = ({ looks }: Seen, of: (look: Look) => number) => median(looks.map(of));
  const worst = (of: (look: Look) => number, from = seen) => {
    const [first] = from
      .map((screen) => ({ what: screen.what, amount: middle(screen, of) }))
      .toSorted((a, b) => b.amount - a.amount);
    return first ?? { what: "", amount: Number.NaN };
  };
  const row = (
    id: string,
    what: string,
    { found, ...limit }: { found: { what: string; amount: number }; max: number; unit: string; digits?: number },
  ) => amountRow({ id, what: `${what}, at most (${found.what})` }, { amount: found.amount, ...limit });
  const forReading = new Set(screens.filter(({ isForm }) => !isForm).map(({ what }) => what));
  const kilobytes = (of: (look: Look) => number) => (look: Look) => of(look) / 1000;
  return [
    row("W1", "script of a page to read", {
      found: worst(
        kilobytes(({ bytes }) => bytes.script),
        seen.filter(({ what }) => forReading.has(what)),
      ),
      max: budgets.script / 1000,
      unit: "kB",
      digits: 1,
    }),
    row("W1", "script of a screen with a form", {
      found: worst(kilobytes(({ bytes }) => bytes.script)),
      max: budgets.scriptOfForms / 1000,
      unit: "kB",
      digits: 1,
    }),
    row("W3", "HTML, CSS, fonts in a browser", {
      found: worst(kilobytes(({ bytes }) => bytes.document + bytes.style + bytes.font)),
      max: 100,
      unit: "kB",
      digits: 1,
    }),
    ...seen.map((screen) =>
      amountRow(
        { id: "W5", what: `largest paint: ${screen.what}` },
        { amount: middle(screen, (look) => look.largestPaint) / 1000, max: 1.5, unit: "s", digits: 2 },
      ),
    ),
    row("W5", "first paint", { found: worst((look) => look.firstPaint / 1000), max: 1, unit: "s", digits: 2 }),
    row("W5", "blocking by long tasks", { found: worst(({ blocking }) => blocking), max: 50, unit: "ms" }),
    // In thousandths, as browsers report it: less is a letter that is a hair wider in our font.
    row("W5", "layout shift", {
      found: worst(({ shift }) => Math.round(shift * 1000) / 1000),
      max: 0,
      unit: "",
      digits: 3,
    }),
    row("W6", "requests to other hosts", { found: worst(({ otherHosts }) => otherHosts), max: 0, unit: "" }),
    row("W7", "pictures of a first view", {
      found: worst(kilobytes(({ bytes }) => bytes.picture)),
      max: 250,
      unit: "kB",
      digits: 1,
    }),
  ];
}

const kinds = 'nav[aria-label="Kinds of result"] a';

/** A control, the element that responds to its press, and the element that shows that a new screen has arrived. */
const presses: Record<string, Press & { path: string; arrival?: string }> = {
  "favourite button": {
    path: list.path,
    click: "main article button",
    change: "main article button",
    attribute: "aria-pressed",
  },
  tab: {
    path: search.path,
    click: `${kinds}:not([aria-current])`,
    change: kinds,
    attribute: "data-pressed",
    arrival: `${kinds}[aria-current]`,
  },
  card: {
    path: list.path,
    click: "main article a",
    change: "main article a",
    attribute: "data-pressed",
    arrival: "main h1",
  },
};

async function delayRows(browser: Browser, app: App, rounds: number): Promise<Row[]> {
  const measure = async (path: string, press: Press) => {
    const delays: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      await using context = await openTelephone(browser, app);
      const page = await context.newPage();
      await page.goto(app.server.origin + path);
      delays.push(await measureDelay(page, press));
    }
    return median(delays);
  };
  const rows: Row[] = [];
  for (const [name, { path, arrival, ...press }] of Object.entries(presses)) {
    const what = { id: "W8", what: `from pressing a ${name} to what answers` };
    const row = amountRow(what, { amount: await measure(path, press), max: 100, unit: "ms" });
    const arrived = arrival && (await measure(path, { click: press.click, change: arrival }));
    rows.push(arrived ? { ...row, beside: `${arrived.toFixed(0)} ms to the screen` } : row);
  }
  return rows;
}
