import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";

import { visitSearch } from "./search-visit.ts";

/** Search pages as the product makes them, by address. */
async function openSite(pages: Record<string, string>) {
  const server = createServer(({ url = "" }, response) => {
    const page = pages[decodeURIComponent(url)];
    response.statusCode = page === undefined ? 404 : 200;
    response.end(`<html><body><header></header><main id="main">${page}</main></body></html>`);
  }).listen(0, "127.0.0.1");
  onTestFinished(() => void server.close());
  await once(server, "listening");
  return { server: { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }, cookie: "" };
}

const tab = (type: string, count: number, rest = "") =>
  `<li><a ${rest} href="/?q=won&#x27;t&amp;type=${type}" data-discover="true">Any<!-- --> <span>${count}</span></a></li>`;
const result = (key: string) => `<li><article id="${key}" class="search-result"><h2>Comes near</h2></article></li>`;

test("every tab of the page is followed, whatever they are called, and the opened one comes first", async () => {
  const order = '<a aria-current="true" href="/?q=won&#x27;t&amp;type=reads&amp;order=newest">Newest 9</a>';
  const further = '<a href="/?q=won&#x27;t&amp;type=reads&amp;page=2">2</a>';
  const guide = '<section class="search-guide"><a href="/?view=read&amp;item=7">First</a></section>';
  const tabs = tab("watches", 1) + tab("reads", 2, 'aria-current="page"') + tab("listens", 1) + tab("learns", 0);
  const site = await openSite({
    "/?q=won't": guide + tabs + order + result("read-8") + result("read-9") + further,
    "/?q=won't&type=watches": tabs + result("watch-5"),
    "/?q=won't&type=listens": tabs + result("listen-6"),
  });
  const { lists, ...found } = await visitSearch(site, "won't");
  expect([...lists]).toEqual([
    ["reads", [8, 9]],
    ["watches", [5]],
    ["listens", [6]],
    ["learns", []],
  ]);
  expect(found).toEqual({ opened: "reads", total: 4, guide: [7], isNear: false, topicCount: 0 });
});

test("results are called near only before the first of them", async () => {
  const tabs = tab("reads", 1, 'aria-current="page"');
  const label = "<p>Nothing fits all of your words. These are close.</p>";
  const site = await openSite({
    "/?q=before": tabs + label + result("read-8"),
    "/?q=after": tabs + result("read-8") + label,
  });
  expect(await visitSearch(site, "before")).toMatchObject({ isNear: true });
  expect(await visitSearch(site, "after")).toMatchObject({ isNear: false });
});

test("where no tab has anything, what is called near is found all the same", async () => {
  const label = "<h2>Nothing has all your words. Perhaps one of these:</h2>";
  const site = await openSite({ "/?q=jet la": label + result("read-8") });
  const { lists, ...found } = await visitSearch(site, "jet la");
  expect([...lists.values()]).toEqual([[8]]);
  expect(found).toMatchObject({ total: 1, isNear: true });
});

test("where nothing is found, the topics to try are counted", async () => {
  const links =
    '<ul class="topic-links-topics"><li><a href="/?q=Tea">Tea</a></li><li><a href="/?q=Pain">Pain</a></li></ul>';
  const site = await openSite({ "/?q=x": links });
  expect(await visitSearch(site, "x")).toMatchObject({ opened: "", total: 0, topicCount: 2 });
});

test.each([
  { what: "counts that no result stands for", page: tab("reads", 2, 'aria-current="page"') },
  { what: "results without a tab", page: result("read-8") },
  { what: "no opened tab", page: tab("reads", 1) + result("read-8") },
])("a page with $what is a fault, not a miss", async ({ page }) => {
  const site = await openSite({ "/?q=x": page });
  await expect(visitSearch(site, "x")).rejects.toThrow("cannot be read");
});
