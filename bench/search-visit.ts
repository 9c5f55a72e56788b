import { ask, decode } from "./requests.ts";

/** A running site, and a logged-in member's cookie. */
type Site = { server: { origin: string }; cookie: string };

/** A term's results for a member without script. */
export type Found = {
  /** The name of the opened tab. */
  opened: string;
  /** The items of each tab's first page by the tab's name, the opened tab first, the best match first. */
  lists: Map<string, number[]>;
  /** The number of results on all tabs, or of near ones without tabs. */
  total: number;
  /** The steps of the guide above the results. */
  guide: number[];
  /** Whether the page says before the first result that the rest is only near. */
  isNear: boolean;
  /** How many topics it suggests instead. */
  topicCount: number;
};

type Tab = { name: string; count: number; path: string; isOpened: boolean };

/** Requests a term, and each tab of its page. @throws on a status other than 200, or unreadable results. */
export async function visitSearch(site: Site, term: string): Promise<Found> {
  const main = await readMain(site, `/?q=${encodeURIComponent(term)}`);
  const tabs = listTabs(main);
  const found = listResults(main);
  const opened = tabs.find(({ isOpened }) => isOpened);
  const isNear = /\b(?:is|are) close\.|perhaps one of these:/i.test(toText(main.split("<article ")[0] ?? ""));
  const isReadable = tabs.length === 0 ? isNear || found.length === 0 : opened && opened.count > 0 === found.length > 0;
  if (!isReadable) throw new Error(`The results for “${term}” cannot be read: the search page is made otherwise now`);

  const lists = new Map(opened || found.length > 0 ? [[opened?.name ?? "", found]] : []);
  for (const { name, count, path, isOpened } of tabs) {
    if (isOpened) continue;
    lists.set(name, count === 0 ? [] : listResults(await readMain(site, path)));
  }
  return {
    opened: opened?.name ?? "",
    lists,
    total: tabs.length === 0 ? found.length : tabs.reduce((sum, { count }) => sum + count, 0),
    guide: listGuide(main),
    isNear,
    topicCount: [...main.matchAll(/<ul class="topic-links[^>]*>(.*?)<\/ul>/gs)].flatMap(([, list = ""]) =>
      listLinks(list),
    ).length,
  };
}

async function readMain({ server, cookie }: Site, path: string): Promise<string> {
  const reply = await ask(server.origin + path, { headers: { Cookie: cookie } });
  if (reply.status !== 200) throw new Error(`${path} answers ${reply.status}`);
  const [main = ""] = /<main.*<\/main>/s.exec(await decode(reply)) ?? [];
  return main;
}

/** A tab is a link to a type that ends in a count; orders and further pages have more parameters. */
function listTabs(main: string): Tab[] {
  const tabs = new Map<string, Tab>();
  for (const { attributes, address, text } of listLinks(main)) {
    const { pathname, search, searchParams } = address;
    const name = searchParams.get("type");
    const [, count] = / ?(\d+)$/.exec(text) ?? [];
    if (name === null || count === undefined || searchParams.has("order") || searchParams.has("page")) continue;
    if (tabs.has(name)) continue;
    const isOpened = attributes.includes('aria-current="page"');
    tabs.set(name, { name, count: Number(count), path: pathname + search, isOpened });
  }
  return [...tabs.values()];
}

function listResults(main: string): number[] {
  return [...main.matchAll(/<article\b([^>]*)>/g)].flatMap(([, attributes = ""]) => {
    const [, id] = /\bid="[a-z]+-(\d+)"/.exec(attributes) ?? [];
    return id !== undefined && /\bclass="search-result\b/.test(attributes) ? [Number(id)] : [];
  });
}

function listGuide(main: string): number[] {
  const [part = ""] = /<section class="search-guide\b.*?<\/section>/s.exec(main) ?? [];
  return listLinks(part).map(({ address }) => Number(address.searchParams.get("item")));
}

function listLinks(html: string) {
  return [...html.matchAll(/<a\b([^>]*)>(.*?)<\/a>/gs)].map(([, attributes = "", text = ""]) => {
    const [, href = ""] = /\bhref="([^"]*)"/.exec(attributes) ?? [];
    return { attributes, text: toText(text), address: new URL(decodeReferences(href), "http://site") };
  });
}

function toText(html: string): string {
  return decodeReferences(html.replaceAll(/<[^>]*>/g, "")).trim();
}

/** React escapes five characters. */
function decodeReferences(text: string): string {
  return text
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&#x27;", "'")
    .replaceAll("&amp;", "&");
}
