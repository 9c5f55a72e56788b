import { measure, median, medianRatio, type Effort, type Rounds } from "./measure.ts";
import { everydayPages, logInPage, longList, longListData, signUpPage, type Page } from "./pages.ts";
import type { Subject } from "./requests.ts";
import { compareRow, type Row } from "./report.ts";
import type { Stage } from "./stage.ts";
import { findLinks } from "./weight.ts";

/** P1, P4, P5 and P14: the long list under several servers, and what is compared with it. */
export async function longListRows(stage: Stage, effort: Effort): Promise<Row[]> {
  const { smallest, thousand, tenThousand, stock, longListLimit } = stage;
  const { ours, bare, framework, navigation, at1000, at10000, asset } = await measure(
    {
      ours: { ...smallest, ...longList },
      bare: { server: longListLimit, ...longList },
      framework: { ...stock, ...longList },
      navigation: { ...smallest, ...longListData },
      at1000: { ...thousand, ...longList },
      at10000: { ...tenThousand, ...longList },
      asset: await findAsset(stage),
    },
    effort,
  );
  return [
    compareRow({ id: "P1", what: `${longList.what}, beside the limit`, rounds: ours, beside: bare, maxRatio: 2 }),
    compareRow({
      id: "P1",
      what: `${longList.what}, beside the stock server`,
      rounds: ours,
      beside: framework,
      maxRatio: 0.33,
    }),
    compareRow({
      id: "P4",
      what: `${longListData.what}, beside the whole page`,
      rounds: navigation,
      beside: ours,
      maxRatio: 0.5,
    }),
    compareRow({
      id: "P5",
      what: "the same list of 1,000 items, beside 62",
      rounds: at1000,
      beside: ours,
      maxRatio: 1.15,
    }),
    compareRow({
      id: "P5",
      what: "the same list of 10,000 items, beside 62",
      rounds: at10000,
      beside: ours,
      maxRatio: 1.15,
    }),
    assetRow(asset, ours),
  ];
}

/** P2 and P3: the pages that members and visitors get. */
export async function everydayRows({ everyday, everydayLimit }: Stage, effort: Effort): Promise<Row[]> {
  const rows: Row[] = [];
  for (const page of Object.values(everydayPages)) {
    const { ours, bare } = await measure(
      { ours: { ...everyday, ...page }, bare: { server: everydayLimit, ...page } },
      effort,
    );
    rows.push(
      compareRow({
        id: "P2",
        what: `${page.what}, beside its limit`,
        rounds: ours,
        beside: bare,
        maxRatio: 3,
        maxInMs: 1.2,
      }),
    );
  }
  const asVisitor = (page: Page): Subject => ({ server: everyday.server, ...page });
  const { logIn, signUp } = await measure({ logIn: asVisitor(logInPage), signUp: asVisitor(signUpPage) }, effort);
  return [
    ...rows,
    compareRow({ id: "P3", what: logInPage.what, rounds: logIn, maxInMs: 0.7 }),
    compareRow({ id: "P3", what: signUpPage.what, rounds: signUp, maxInMs: 0.7 }),
  ];
}

/** How much cheaper than a page an asset must be. */
const MIN_ASSET_RATIO = 15;

/**
 * Rates for a second of the server's CPU: of requests as cheap as these a client makes fewer than the server could
 * answer.
 */
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

/** The style sheet of every page. */
async function findAsset({ smallest }: Stage): Promise<Subject> {
  const links = await findLinks({ server: smallest.server, path: logInPage.path });
  const sheet = links.find(({ rel }) => rel === "stylesheet");
  if (!sheet?.href) throw new Error("A page without a style sheet");
  return { server: smallest.server, path: sheet.href, words: "--" };
}
