import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";

import { DEMO_PASSWORD } from "../../server/cli/demo-data.ts";
import { listen } from "../helpers/loopback.ts";
import type { Browser } from "./browser.ts";
import { engines } from "./engines.ts";

const demo = inject("demo");

/** Where an add-on finds a page; `tests/e2e/hydration.spec.ts` tests all that add-ons do. */
const moments = [
  { moment: "before script comes", served: (html: string) => html },
  { moment: "while the page arrives", served: (html: string) => html.replaceAll("<input", "<pm-icon></pm-icon>$&") },
];

/** A person's acts beside typing, tried until they succeed. */
const deeds = [
  {
    what: "a choice",
    path: "signup?step=1",
    act: `() => (document.querySelector("[value=individual]").checked = true)`,
    isLeft: `() => document.querySelector("[value=individual]").checked`,
  },
  {
    what: "the place on a page",
    path: "?view=read&item=1003",
    act: `() => {
      scrollTo({ top: 700, behavior: "instant" });
      return true;
    }`,
    isLeft: `() => scrollY === 700`,
  },
  {
    what: "a recording that plays",
    path: "?view=watch&item=4002",
    // A browser lets script play silent media.
    act: `() => {
      const sound = document.querySelector("audio");
      sound.muted = true;
      if (sound.paused) void sound.play();
      return sound.currentTime > 1;
    }`,
    isLeft: `() => {
      const { paused, currentTime } = document.querySelector("audio");
      return !paused && currentTime > 1;
    }`,
  },
];

for (const { name, start } of engines.filter(({ name: each }) => !each.endsWith("off"))) {
  describe(`in ${name}`, () => {
    let browser: Browser;
    beforeAll(async () => {
      browser = await start();
    });
    afterAll(() => browser[Symbol.asyncDispose]());

    test.each(moments)("what was typed stays, and the focus, with an add-on at work $moment", async ({ served }) => {
      await using line = await openLateLine(demo.url, served);
      for (const path of ["login", "signup?step=1"]) {
        const letScriptArrive = line.holdScript();
        await using page = await browser.openPage({ width: 1280, height: 900 });
        await page.open(new URL(path, line.url).href);
        for (const field of ["email", "password"]) {
          const found = await page.find("(name) => document.getElementsByName(name)[0]", field);
          if (found) await page.type(found, `${field}@example.org`);
        }
        await page.evaluate(disturb);
        letScriptArrive();
        await expect.poll(() => page.evaluate(isEnhanced)).toBe(true);
        expect(await page.evaluate(readFields)).toEqual(["email@example.org", "password@example.org", "password"]);
      }
      expect(listFaults(browser)).toEqual([]);
    });

    test.each(moments.flatMap(({ moment, served }) => deeds.map((deed) => ({ moment, served, deed }))))(
      "$deed.what stays with an add-on at work $moment",
      async ({ served, deed: { path, act, isLeft } }) => {
        await using line = await openLateLine(demo.url, served);
        const letScriptArrive = line.holdScript();
        await using page = await browser.openPage({ width: 1280, height: 900 });
        await page.open(new URL(path, line.url).href);
        await expect.poll(() => page.evaluate(act)).toBe(true);
        await expect.poll(() => page.evaluate(isLeft)).toBe(true);
        await page.evaluate(disturb);
        letScriptArrive();
        await expect.poll(() => page.evaluate(isEnhanced)).toBe(true);
        await expect.poll(() => page.evaluate(isLeft)).toBe(true);
        expect(listFaults(browser)).toEqual([]);
      },
    );

    test("after a reload Back shows the page it leads to, though the script is late again", async () => {
      await using line = await openLateLine(demo.url, (html) => html);
      await using page = await browser.openPage({ width: 1280, height: 900 });
      await page.open(new URL("login", line.url).href);
      await expect.poll(() => page.evaluate(isEnhanced)).toBe(true);
      await page.evaluate(`() => document.querySelector("[href$='?reset=1']").click()`);
      await expect.poll(() => page.evaluate(readHeading)).toBe("Forgot your password..?");
      const letScriptArrive = line.holdScript();
      await page.evaluate("() => location.reload()");
      await expect.poll(() => page.evaluate(isLoadedPlain).catch(() => false)).toBe(true);
      await page.evaluate("() => history.back()");
      await expect.poll(() => page.evaluate(readHeading)).toBe("Log in");
      letScriptArrive();
      await expect.poll(() => page.evaluate(isEnhanced)).toBe(true);
      expect(await page.evaluate(readHeading)).toBe("Log in");
      // The previous page may have begun to load its script, which Firefox reports.
      const faults = browser.faults.splice(0).filter((fault) => !fault.includes("error loading dynamically imported"));
      expect(faults).toEqual([]);
    });
  });
}

const isEnhanced = "() => 'enhanced' in document.documentElement.dataset";
/** The whole page is there, with its starter, but without the script that it waits for. */
const isLoadedPlain = "() => document.readyState === 'complete' && !('enhanced' in document.documentElement.dataset)";
const readHeading = "() => document.querySelector('h1').textContent";

/** Without React's report that it draws a page again. */
function listFaults({ faults }: Browser): string[] {
  return faults.splice(0).filter((fault) => !fault.includes("React error #418"));
}

const disturb = `() => {
  const focused = document.activeElement;
  for (const field of document.querySelectorAll("input:not([type=hidden])")) {
    const wrapper = document.createElement("pm-wrapper");
    field.replaceWith(wrapper);
    wrapper.append(field);
    field.after(document.createElement("pm-icon"));
  }
  document.body.prepend(document.createElement("div"));
  focused.focus();
}`;

const readFields = `() => [
  ...["email", "password"].map((name) => document.getElementsByName(name)[0].value),
  document.activeElement.name,
]`;

async function logInAsMember(root: string): Promise<string> {
  const answer = await fetch(new URL("login", root), {
    method: "POST",
    headers: { Origin: new URL(root).origin },
    body: new URLSearchParams({ intent: "log-in", email: "member@dormouse.example", password: DEMO_PASSWORD }),
    redirect: "manual",
  });
  return answer.headers
    .getSetCookie()
    .map((each) => each.split(";")[0])
    .join("; ");
}

/**
 * The demo behind a line that changes pages by `served` and holds back their script: these browsers cannot. Requests at
 * the root are a member's.
 */
async function openLateLine(root: string, served: (html: string) => string) {
  const cookie = await logInAsMember(root);
  let held = Promise.resolve();
  async function pass({ url = "/", headers }: IncomingMessage, response: ServerResponse): Promise<void> {
    // One script that all wait for is enough: WebKit sends a host six requests at a time.
    if (url.includes("/entry.client-")) await held;
    const isMembers = /^\/(?:\?|media\/|positions)/.test(url);
    const answer = await fetch(new URL(url, root), {
      headers: { ...(isMembers && { Cookie: cookie }), ...(headers.range !== undefined && { Range: headers.range }) },
    });
    const isPage = answer.headers.get("Content-Type")?.startsWith("text/html");
    const body = Buffer.from(isPage ? served(await answer.text()) : await answer.bytes());
    response.statusCode = answer.status;
    for (const name of ["Content-Type", "Content-Security-Policy", "Content-Range", "Accept-Ranges"])
      if (answer.headers.has(name)) response.setHeader(name, answer.headers.get(name) ?? "");
    response.setHeader("Content-Length", body.length);
    response.end(body);
  }
  const listening = await listen(
    createServer((request, response) => void pass(request, response).catch(() => response.destroy())),
  );
  return Object.assign(listening, {
    /** Returns the function that releases it. */
    holdScript(): () => void {
      const { promise, resolve } = Promise.withResolvers<void>();
      held = promise;
      return resolve;
    },
  });
}
