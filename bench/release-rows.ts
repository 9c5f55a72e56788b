import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { startCms } from "./cms-app.ts";
import { measure, type Effort } from "./measure.ts";
import { everydayPages, logInPage, myAccountPage, signUpPage, todayPage } from "./pages.ts";
import { buildRelease } from "./release.ts";
import { compareRow, type Row } from "./report.ts";
import type { Subject } from "./requests.ts";
import { longWords, toPaths } from "./searches.ts";
import { openTree, type Tree } from "./tree.ts";

/** A page of both trees, requested by a member, a visitor or an operator. */
type Page = Pick<Subject, "path" | "words"> & {
  what: string;
  from: Both;
  toCookie?: (tree: Tree) => string | undefined;
};
type Both = { now: Tree; release: Tree };

/** P0: each page against the last release's, with the same content of a CMS. */
export async function releaseRows(effort: Effort): Promise<Row[]> {
  const folders = { now: process.cwd(), release: buildRelease() };
  await using opening = new AsyncDisposableStack();
  const data = await mkdtemp(join(tmpdir(), "dormouse-bench-"));
  opening.defer(() => rm(data, { recursive: true, force: true }));
  const openBoth = async (items: number): Promise<Both> => {
    const { url: cmsUrl } = opening.use(await startCms(items));
    const open = async (name: keyof Both) =>
      opening.use(await openTree({ folder: folders[name], cmsUrl, dataDir: join(data, `${name}-${items}`) }));
    return { now: await open("now"), release: await open("release") };
  };
  const rows: Row[] = [];
  for (const page of listPages(await openBoth(100), await openBoth(10_000))) rows.push(await comparePage(page, effort));
  return rows;
}

function listPages(few: Both, many: Both): Page[] {
  const { list, article, landing, search, favourites } = everydayPages;
  const isVisitor = { from: few, toCookie: () => undefined };
  const misspelt = toPaths(longWords.map((pair) => pair.misspelt));
  return [
    { ...list, from: few },
    { ...article, from: few },
    { ...landing, from: few },
    { ...search, from: few },
    { ...favourites, from: few },
    { ...myAccountPage, from: few },
    { ...logInPage, ...isVisitor },
    { ...signUpPage, ...isVisitor },
    { ...todayPage, from: few, toCookie: ({ desk }) => desk },
    { ...list, what: `${list.what} among 10,000`, from: many },
    { what: "four misspelt words among 10,000 items", path: misspelt, words: "search", from: many },
  ];
}

async function comparePage({ what, from, toCookie = ({ cookie }) => cookie, ...page }: Page, effort: Effort) {
  const toSubject = (tree: Tree): Subject => {
    const cookie = toCookie(tree);
    return { ...page, server: tree.server, ...(cookie && { cookie }) };
  };
  if (page.path === todayPage.path && from.release.desk === undefined) {
    const { now } = await measure({ now: toSubject(from.now) }, effort);
    return compareRow({ id: "P0", what: `${what}, which the last release does not have`, rounds: now });
  }
  const { now, release } = await measure({ now: toSubject(from.now), release: toSubject(from.release) }, effort);
  return compareRow({ id: "P0", what: `${what}, beside the last release`, rounds: now, beside: release, maxRatio: 1 });
}
