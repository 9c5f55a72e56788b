import { tagWith } from "../helpers/page.ts";
import type { Answer, Browser } from "../helpers/site.ts";
import { patterns, toPattern } from "./addresses.ts";

/** Its target, and each field with its possible values. */
export type FoundForm = { page: string; path: string; fields: Record<string, string[]> };

export type Walk = {
  pages: Map<string, Answer>;
  forms: FoundForm[];
  /** By any page, files too. */
  named: Set<string>;
};

/** So many of pages that differ only in a number or a word. */
const ALIKE = 3;

/** Follows every link from the given addresses and every route without parameters, as one browser. */
export async function walkSite(browser: Browser, starts: string[] = []): Promise<Walk> {
  const fixed = patterns.filter(({ pattern }) => !/[:*]/.test(pattern)).map(({ pattern }) => pattern);
  const waiting = [...starts, ...fixed];
  const walk: Walk = { pages: new Map(), forms: [], named: new Set(waiting) };
  const looks = new Map<string, number>();
  for (let address = waiting.shift(); address !== undefined; address = waiting.shift()) {
    const look = toLook(address);
    const seen = looks.get(look) ?? 0;
    if (walk.pages.has(address) || seen >= ALIKE) continue;
    looks.set(look, seen + 1);
    const answer = await browser.get(address);
    walk.pages.set(address, answer);
    const found = answer.location === null ? addressesIn(answer.text, address) : [answer.location];
    const ours = found.flatMap((each) => toOurs(each, address, browser.origin));
    for (const each of ours) walk.named.add(each);
    waiting.push(...ours.filter((each) => !walk.pages.has(each) && !each.startsWith("/assets/")));
    walk.forms.push(...formsIn(answer.text, address, browser.origin));
  }
  return { ...walk, forms: withoutDoubles(walk.forms) };
}

/** The route and the names of its parameters. */
function toLook(address: string): string {
  const { pathname, searchParams } = new URL(address, "http://here.invalid");
  const view = ["view", "account", "step"].map((name) => searchParams.get(name) ?? "");
  return [toPattern(pathname).pattern, ...view, ...[...searchParams.keys()].toSorted()].join(" ");
}

function addressesIn(html: string, page: string): string[] {
  if (!html.startsWith("<!")) return [];
  const markup = html.replaceAll(/<script\b[^]*?<\/script>/g, "");
  const attributes = [...markup.matchAll(/ (?:href|src|action|poster)="([^"]*)"/g)].map(([, value = ""]) => value);
  return [...attributes, page].map(unescapeHtml);
}

function toOurs(address: string, page: string, origin: string): string[] {
  const url = URL.parse(address, origin + page);
  return url?.origin === origin ? [url.pathname + url.search] : [];
}

/** Every form that posts, with controls elsewhere on the page. */
function formsIn(html: string, page: string, origin: string): FoundForm[] {
  const controls = [...html.matchAll(/<(?:input|button|select|textarea)\b[^>]*>/g)].map(([tag]) => tag);
  return [...html.matchAll(/<form\b([^>]*)>([^]*?)<\/form>/g)].flatMap(([whole, attributes = "", inside = ""]) => {
    if (!/ method="post"/i.test(attributes)) return [];
    const id = / id="([^"]*)"/.exec(attributes)?.[1];
    const elsewhere = id === undefined ? [] : controls.filter((tag) => tag.includes(` form="${id}"`));
    const within = [...inside.matchAll(/<(?:input|button|select|textarea)\b[^>]*>/g)].map(([tag]) => tag);
    const action = unescapeHtml(/ action="([^"]*)"/.exec(tagWith(whole, "form") ?? "")?.[1] ?? page);
    const [path = page] = toOurs(action || page, page, origin);
    return [{ page, path, fields: readFields([...within, ...elsewhere]) }];
  });
}

function readFields(controls: string[]): FoundForm["fields"] {
  const fields: FoundForm["fields"] = {};
  for (const tag of controls) {
    const name = unescapeHtml(/ name="([^"]*)"/.exec(tag)?.[1] ?? "");
    if (name === "") continue;
    (fields[name] ??= []).push(unescapeHtml(/ value="([^"]*)"/.exec(tag)?.[1] ?? ""));
  }
  return fields;
}

function withoutDoubles(forms: FoundForm[]): FoundForm[] {
  const kinds = new Map(
    forms.map((form) => [[form.path.split("?")[0], form.fields.intent?.[0], Object.keys(form.fields)].join(" "), form]),
  );
  return [...kinds.values()];
}

function unescapeHtml(text: string): string {
  return text.replaceAll("&amp;", "&").replaceAll("&quot;", '"').replaceAll("&#x27;", "'").replaceAll("&lt;", "<");
}
