import type { Page, Route } from "@playwright/test";

import { runStripeFrame, runStripeJs } from "./stripe-js-page.ts";

/**
 * Stripe.js as a page meets it, served in place of Stripe's hosts: a script with the same calls and events, fields in frames of
 * their own host, and a method that is made by a call to the API. Wrong options are thrown at the page as Stripe throws them.
 */
export type StripeJs = {
  /** Every address that was asked of Stripe's hosts. */
  requests: string[];
  /** What methods were made of. */
  methods: Record<string, string>[];
  /** Lets a script arrive that was held. */
  release(): void;
  /** What becomes of the methods from now on; without an argument they are made again. */
  answerWith(answer?: { error: { type: string; code?: string } } | "nothing"): void;
  /** How the page may have opened Stripe, and its fields. */
  readOptions(): Promise<StripeOptions>;
};

export type StripeOptions = {
  key: string;
  options: { locale?: string };
  elements: Record<string, { placeholder?: string; style?: { base?: Record<string, unknown> } }>;
};

/** `held`: the script comes when the test lets it. `frameless`: it comes, but its fields do not. */
export type StripeJsManner = "there" | "blocked" | "held" | "frameless";

const cors = { "Access-Control-Allow-Origin": "*" };

export async function serveStripeJs(page: Page, manner: StripeJsManner = "there"): Promise<StripeJs> {
  const requests: string[] = [];
  const methods: Record<string, string>[] = [];
  const gate = Promise.withResolvers<void>();
  let answer: Parameters<StripeJs["answerWith"]>[0];

  async function serve(route: Route): Promise<void> {
    const { pathname } = new URL(route.request().url());
    if (manner === "blocked") return route.abort("blockedbyclient");
    if (pathname === "/endive/stripe.js") {
      if (manner === "held") await gate.promise;
      // A page that was left in the meantime no longer wants it.
      return route.fulfill({ contentType: "text/javascript", body: `(${String(runStripeJs)})();` }).catch(() => {});
    }
    if (pathname !== "/frame.html" || manner === "frameless") return route.fulfill({ status: 404, body: "" });
    const body = `<!doctype html><title>Secure input frame</title><body><script>(${String(runStripeFrame)})();</script>`;
    return route.fulfill({ contentType: "text/html", body });
  }

  async function makeMethod(route: Route): Promise<void> {
    if (answer === "nothing") return route.abort("connectionreset");
    if (answer) return route.fulfill({ status: 402, headers: cors, json: answer });
    const fields = Object.fromEntries(new URLSearchParams(route.request().postData() ?? ""));
    methods.push(fields);
    return route.fulfill({
      headers: cors,
      json: { object: "payment_method", id: fields["card[token]"], type: "card" },
    });
  }

  page.on("request", (request) => {
    if (new URL(request.url()).hostname.endsWith("stripe.com")) requests.push(request.url());
  });
  await page.route("https://js.stripe.com/**", serve);
  await page.route("https://api.stripe.com/v1/payment_methods", makeMethod);
  return {
    requests,
    methods,
    release: gate.resolve,
    answerWith(next) {
      answer = next;
    },
    readOptions: () => page.evaluate(() => (window as unknown as { stripeOptions: StripeOptions }).stripeOptions),
  };
}
