import { measure, median, medianRatio, type Effort, type Rounds } from "./measure.ts";
import { everydayPages, listData, logInPage, longListPage, signUpPage, type Page } from "./pages.ts";
import type { Subject } from "./requests.ts";
import { compareRow, type Row } from "./report.ts";
import type { Stage } from "./stage.ts";
import { findLinks } from "./weight.ts";

/** A page may cost at most so many times as much as its limit. */
const MAX_LIMIT_RATIO = 2.5;
const MAX_STOCK_RATIO = 0.4;

/** P1 to P5 and P14: the pages of members and visitors; each row about a list compares it with one of 24 cards. */
export async function everydayRows(stage: Stage, effort: Effort): Promise<Row[]> {
  const { everyday, everydayLimit, thousand, tenThousand, stock } = stage;
  const { list, ...others } = everydayPages;
  const { ours, bare, framework, navigation, at1000, at10000, asset } = await measure(
    {
      ours: { ...everyday, ...list },
      bare: { server: everydayLimit, ...list },
      framework: { ...stock, ...list },
      navigation: { ...everyday, ...listData },
      at1000: { ...thousand, ...list },
      at10000: { ...tenThousand, ...list },
      asset: await findAsset(stage),
    },
    effort,
  );
  const rows: Row[] = [
    stockRow(list.what, ours, framework),
    limitRow("P2", list.what, { ours, bare }),
    compareRow({
      id: "P4",
      what: `${listData.what}, beside the whole page`,
      rounds: navigation,
      beside: ours,
      maxRatio: 0.5,
    }),
    compareRow({ id: "P5", what: "the same of 1,000 items, beside 100", rounds: at1000, beside: ours, maxRatio: 1.15 }),
    compareRow({
      id: "P5",
      what: "the same of 10,000 items, beside 100",
      rounds: at10000,
      beside: ours,
      maxRatio: 1.15,
    }),
    assetRow(asset, ours),
  ];
  for (const page of Object.values(others)) {
    const pair = await measure({ ours: { ...everyday, ...page }, bare: { server: everydayLimit, ...page } }, effort);
    rows.push(limitRow("P2", page.what, pair));
  }
  const asVisitor = (page: Page): Subject => ({ server: everyday.server, ...page });
  const { logIn, signUp } = await measure({ logIn: asVisitor(logInPage), signUp: asVisitor(signUpPage) }, effort);
  return [
    ...rows,
    compareRow({ id: "P3", what: logInPage.what, rounds: logIn, maxInMs: 0.7 }),
    compareRow({ id: "P3", what: signUpPage.what, rounds: signUp, maxInMs: 0.7 }),
  ];
}

/** P1: a list of 60 cards. */
export async function longListRows({ longList, longListLimit, longListStock }: Stage, effort: Effort): Promise<Row[]> {
  const { ours, bare, framework } = await measure(
    {
      ours: { ...longList, ...longListPage },
      bare: { server: longListLimit, ...longListPage },
      framework: { ...longListStock, ...longListPage },
    },
    effort,
  );
  return [limitRow("P1", longListPage.what, { ours, bare }), stockRow(longListPage.what, ours, framework)];
}

function limitRow(id: string, what: string, { ours, bare }: { ours: Rounds; bare: Rounds }): Row {
  return compareRow({ id, what: `${what}, beside its limit`, rounds: ours, beside: bare, maxRatio: MAX_LIMIT_RATIO });
}

function stockRow(what: string, ours: Rounds, framework: Rounds): Row {
  const maxRatio = MAX_STOCK_RATIO;
  return compareRow({ id: "P1", what: `${what}, beside the stock server`, rounds: ours, beside: framework, maxRatio });
}

/** How much cheaper than a page an asset must be. */
const MIN_ASSET_RATIO = 15;

/** Compares rates for a second of the server's CPU: for such cheap requests the client is slower than the server. */
function assetRow(asset: Rounds, page: Rounds): Row {
  const ratio = medianRatio(page, asset);
  const toRate = (rounds: Rounds) => `${Math.round(1000 / median(rounds))}/s`;
  return {
    id: "P14",
    what: "static file, rate beside the list's (for a CPU second)",
    figure: toRate(asset),
    beside: toRate(page),
    ratio: `${ratio.toFixed(0)}x`,
    bar: `≥ ${MIN_ASSET_RATIO}x`,
    isMet: ratio >= MIN_ASSET_RATIO,
  };
}

async function findAsset({ everyday }: Stage): Promise<Subject> {
  const links = await findLinks({ server: everyday.server, path: logInPage.path });
  const sheet = links.find(({ rel }) => rel === "stylesheet");
  if (!sheet?.href) throw new Error("A page without a style sheet");
  return { server: everyday.server, path: sheet.href, words: "--" };
}
