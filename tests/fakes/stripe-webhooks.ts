import { createHmac } from "node:crypto";
import type { Stripe } from "stripe";

/** A webhook as it is sent: the body to the byte, and its headers. */
export type Webhook = { id: string; type: string; body: string; headers: Record<string, string> };

/** Signs as docs.stripe.com/webhooks/signature describes it; several secrets while one is changed. */
export function signWebhook(body: string, { secrets, at }: { secrets: string[]; at: number }): string {
  const signatures = secrets.map((secret) => createHmac("sha256", secret).update(`${at}.${body}`).digest("hex"));
  return [`t=${at}`, ...signatures.map((each) => `v1=${each}`), "v0=0000"].join(",");
}

type Setting = { secret: string; url: string | undefined; nowInSeconds: () => number };

/** Sends webhooks one behind the other, or keeps them for a test to fetch; what is not taken with 2xx is kept too. */
export function createWebhooks({ secret, url, nowInSeconds }: Setting) {
  const waiting: Stripe.Event[] = [];
  let sending = Promise.resolve();

  function write(event: Stripe.Event): Webhook {
    const body = JSON.stringify(event, null, 2);
    const headers = {
      "Content-Type": "application/json; charset=utf-8",
      "User-Agent": "Stripe/1.0 (+https://stripe.com/docs/webhooks)",
      "Stripe-Signature": signWebhook(body, { secrets: [secret], at: nowInSeconds() }),
    };
    return { id: event.id, type: event.type, body, headers };
  }

  async function send(event: Stripe.Event, to: string): Promise<void> {
    const { body, headers } = write(event);
    const answer = await fetch(to, { method: "POST", body, headers, redirect: "manual" }).catch(() => undefined);
    await answer?.arrayBuffer().catch(() => undefined);
    if (!answer?.ok) waiting.push(event);
  }

  function add(event: Stripe.Event): void {
    if (url === undefined) waiting.push(event);
    else sending = sending.then(() => send(event, url));
  }

  return {
    add,
    /** Those that nobody has taken yet, signed now; they count as taken. */
    take: (): Webhook[] => waiting.splice(0).map(write),
    /** Sends again what was not taken, as Stripe does for three days. */
    sendAgain: () => waiting.splice(0).forEach(add),
    /** Resolves when nothing is on its way. */
    settle: () => sending,
  };
}
