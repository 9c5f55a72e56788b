import { expect } from "vitest";

import { landingTexts } from "../../app/routes/member/dashboard/landing-texts.ts";
import { DEMO_PASSWORD } from "../../server/cli/demo-data.ts";
import type { Browser, Element, Page, Size } from "./browser.ts";

const desktop: Size = { width: 1280, height: 900 };
export const phone: Size = { width: 390, height: 844 };

/**
 * Uses the site as a person does, by names of links, buttons and fields. Each method waits for its target. Ends with an
 * error if the pages threw an uncaught one.
 */
export type Visitor = AsyncDisposable & {
  page: Page;
  open(path: string): Promise<void>;
  press(kind: Kind, name: string): Promise<void>;
  /** Presses a link until its page is there: a press is lost while a page is being drawn. */
  follow(link: string, heading: string): Promise<void>;
  fill(label: string, text: string): Promise<void>;
  arrive(heading: string): Promise<void>;
  see(text: string): Promise<void>;
  readPath(): Promise<string>;
};
/** Before a link is pressed again: a second press too early hits whatever the next page has there. */
const PATIENCE_IN_MS = 3000;

type Kind = "link" | "button" | "radio";

export async function visit(browser: Browser, root: string, size = desktop): Promise<Visitor> {
  const page = await browser.openPage(size);
  // A page that is being replaced answers with an error; the next try asks the new one.
  const wait = async (find: () => Promise<unknown>, what: string) => {
    await expect
      .poll(() => find().catch(String), { message: what })
      .toSatisfy((found) => found && typeof found !== "string");
  };
  // While a page is being drawn, some elements are not displayed, and the protocols refuse to press those.
  const use = async (source: string, names: [string, string], act: (element: Element) => Promise<unknown>) => {
    const element = await page.find(source, ...names);
    return element !== undefined && (await act(element)) !== false;
  };
  const isEnhanced =
    "() => document.documentElement.hasAttribute('data-enhanced') || !document.querySelector('script')";

  return {
    page,
    async open(path) {
      await page.open(new URL(path, root).href);
      if (browser.hasScript) await wait(() => page.evaluate<boolean>(isEnhanced), "script in the page");
    },
    async press(kind, name) {
      await wait(() => use(findByName, [kind, name], page.click), `the ${kind} “${name}”`);
    },
    async follow(link, heading) {
      let nextPressAt = 0;
      const go = async () => {
        const isThere = await page.evaluate<boolean>(hasHeading, heading);
        if (isThere || Date.now() < nextPressAt) return isThere;
        if (await use(findByName, ["link", link], page.click)) nextPressAt = Date.now() + PATIENCE_IN_MS;
        return false;
      };
      await wait(go, `the heading “${heading}” behind “${link}”`);
    },
    async fill(label, text) {
      const isThere = () => page.evaluate<boolean>(hasValue, label, text);
      // A page that is just arriving takes the focus, and keys with it.
      const type = async (field: Element) => page.type(field, text).then(isThere);
      await wait(() => use(findByLabel, ["field", label], type), `the field “${label}” with “${text}”`);
    },
    arrive: (heading) => wait(() => page.evaluate<boolean>(hasHeading, heading), `the heading “${heading}”`),
    see: (text) => wait(() => page.evaluate<true | string>(hasText, text), `“${text}”`),
    readPath: () => page.evaluate<string>("() => location.pathname + location.search"),
    async [Symbol.asyncDispose]() {
      await page[Symbol.asyncDispose]();
      const faults = browser.faults.splice(0);
      if (faults.length > 0) throw new Error(`What the page threw and nothing caught: ${faults.join("; ")}`);
    },
  };
}

type LogIn = { email: string; password: string; button?: string };

export async function logIn(visitor: Visitor, { email, password, button = "Log In" }: LogIn): Promise<void> {
  await visitor.fill("Email", email);
  await visitor.fill("Password", password);
  await visitor.press("button", button);
}

type Arrival = { root: string; path: string; size?: Size | undefined };

export async function visitLoggedIn(browser: Browser, { root, path, size }: Arrival): Promise<Visitor> {
  const visitor = await visit(browser, root, size);
  await visitor.open("/login");
  await logIn(visitor, { email: "member@dormouse.example", password: DEMO_PASSWORD });
  await visitor.arrive(landingTexts.heading);
  await visitor.open(path);
  return visitor;
}

/** The first visible element of a kind whose name begins with the words, once it no longer moves. */
const findByName = `(kind, name) => {
  if (document.readyState !== "complete") return null;
  const selector = { link: "a[href]", button: "button", radio: "input[type=radio]" }[kind];
  const readName = (element) =>
    element.getAttribute("aria-label") ??
    ((element.labels?.[0] ?? element).innerText.replace(/\\s+/g, " ").trim() || (element.querySelector("img")?.alt ?? ""));
  const found = [...document.querySelectorAll(selector)].filter(
    (element) => readName(element).startsWith(name) && element.getClientRects().length > 0,
  )[0];
  const isMoving = ({ playState, effect }) => playState === "running" && effect.target.contains(found);
  if (!found || document.getAnimations().some(isMoving)) return null;
  found.scrollIntoView({ block: "center", behavior: "instant" });
  return found;
}`;

const fieldByLabel = `(name) => [...document.querySelectorAll("input")].find(
  (field) =>
    field.getClientRects().length > 0 && (field.getAttribute("aria-label") ?? field.labels[0]?.innerText.trim()) === name,
)`;

const findByLabel = `(_, name) => {
  const field = (${fieldByLabel})(name);
  field?.scrollIntoView({ block: "center", behavior: "instant" });
  return field ?? null;
}`;

/** Fields of cards put spaces into what is typed. */
const hasValue = `(name, text) =>
  (${fieldByLabel})(name)?.value.replace(/\\s/g, "") === text.replace(/\\s/g, "")`;

/** Firefox reports the end of a page that is still loading as a fault of its successor. */
const hasHeading = `(name) => document.readyState === "complete" && [...document.querySelectorAll("h1, h2")].some(
  (each) => each.innerText.trim() === name && each.getClientRects().length > 0,
)`;

/** A failure lists the page's buttons and words; the report truncates a long page. */
const hasText = `(text) => document.body.innerText.includes(text) ||
  "Buttons: " + [...document.querySelectorAll("button")].map((button) => button.innerText.trim() + (button.dataset.fault ?? "")).join(" | ") +
  ". The page says: " + document.body.innerText`;
