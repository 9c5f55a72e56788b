import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";

import { listen } from "../helpers/loopback.ts";
import type { Browser } from "./browser.ts";
import { engines } from "./engines.ts";

const demo = inject("demo");

/** What a person typed stays when an add-on changes the page before its script comes; `tests/e2e/hydration.spec.ts` has all that add-ons do. */
for (const { name, start } of engines.filter(({ name: each }) => !each.endsWith("off"))) {
  describe(`in ${name}`, () => {
    let browser: Browser;
    beforeAll(async () => {
      browser = await start();
    });
    afterAll(() => browser[Symbol.asyncDispose]());

    test.each([
      { moment: "before script comes", served: (html: string) => html },
      {
        moment: "while the page arrives",
        served: (html: string) => html.replaceAll("<input", "<pm-icon></pm-icon>$&"),
      },
    ])("what was typed stays, and the focus, with an add-on at work $moment", async ({ served }) => {
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
        await expect.poll(() => page.evaluate("() => 'enhanced' in document.documentElement.dataset")).toBe(true);
        expect(await page.evaluate(readFields)).toEqual(["email@example.org", "password@example.org", "password"]);
      }
      expect(browser.faults.splice(0).filter((fault) => !fault.includes("React error #418"))).toEqual([]);
    });
  });
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

/**
 * The demo over a line that serves pages as `served` has them and holds their script back until it is let go: these browsers cannot do
 * so themselves.
 */
async function openLateLine(root: string, served: (html: string) => string) {
  let held = Promise.resolve();
  async function pass({ url = "/" }: IncomingMessage, response: ServerResponse): Promise<void> {
    if (url.endsWith(".js")) await held;
    const answer = await fetch(new URL(url, root));
    const type = answer.headers.get("Content-Type") ?? "";
    const policy = answer.headers.get("Content-Security-Policy");
    response.writeHead(answer.status, { "Content-Type": type, ...(policy && { "Content-Security-Policy": policy }) });
    response.end(type.startsWith("text/html") ? served(await answer.text()) : await answer.bytes());
  }
  const listening = await listen(
    createServer((request, response) => void pass(request, response).catch(() => response.destroy())),
  );
  return Object.assign(listening, {
    /** Answers how to let it go. */
    holdScript(): () => void {
      const { promise, resolve } = Promise.withResolvers<void>();
      held = promise;
      return resolve;
    },
  });
}
