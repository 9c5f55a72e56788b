import type { Stripe } from "stripe";

import { authenticate, charge, keepMethod, readCard, type StripeBooks } from "./stripe-books.ts";
import { toMetadata, newIntent, StripeRefusal, toText, type Params } from "./stripe-objects.ts";
import type { StripeFake } from "./stripe.ts";

export type PageAnswer = { status: 200 | 404; html: string } | { status: 303; location: string };

type PageRequest = { path: string; form: Params | undefined; url: string };

/** Stripe's payment page, and that of the payer's bank. `form` is what was posted. */
export function answerPage(books: StripeBooks, request: PageRequest): PageAnswer {
  const [, page, id = ""] = /^\/pages\/(checkout|bank)\/(\w+)$/.exec(request.path) ?? [];
  const session = page === "checkout" && books.sessions.has(id) ? books.requireSession(id) : undefined;
  if (session)
    return request.form ? payOnPage(books, session, { form: request.form, url: request.url }) : showPage(session);
  const intent = page === "bank" ? books.intents.get(id) : undefined;
  if (!intent) return { status: 404, html: toHtml("Nothing here", "<p>There is no such page.</p>") };
  return request.form ? answerBank(books, intent, request.form) : showBank(intent);
}

function showPage(session: Stripe.Checkout.Session, refusal = ""): PageAnswer {
  if (session.status !== "open") return { status: 200, html: toHtml("This page is over", "<p>This page is over.</p>") };
  const sum = `£${((session.amount_total ?? 0) / 100).toFixed(2)}`;
  return {
    status: 200,
    html: toHtml(
      `Pay ${sum}`,
      `<p role="alert">${refusal}</p>
      <form method="post">
        <p><label>Card number <input name="number" inputmode="numeric" autocomplete="off"></label></p>
        <p><button name="choice" value="pay">Pay ${sum}</button></p>
        <p><button name="choice" value="cancel">Cancel</button></p>
      </form>`,
    ),
  };
}

function payOnPage(
  books: StripeBooks,
  session: Stripe.Checkout.Session,
  { form, url }: { form: Params; url: string },
): PageAnswer {
  const { success_url: successUrl, cancel_url: cancelUrl } = session;
  if (form.choice === "cancel") return { status: 303, location: cancelUrl ?? successUrl ?? url };
  if (session.status !== "open") return showPage(session);
  try {
    const card = { number: toText(form.number) ?? "", exp_month: "12", exp_year: "2034", cvc: "123" };
    const fate = readCard(card, books.nowInSeconds());
    const intent = findOrMake(books, session);
    intent.payment_method = keepMethod(books, fate, {}).id;
    charge(books, intent, { fate, bankPage: `${url}/pages/bank/`, returnUrl: successUrl ?? undefined });
    const bank = intent.next_action?.redirect_to_url?.url;
    return { status: 303, location: bank ?? toSuccess(session) };
  } catch (error) {
    if (error instanceof StripeRefusal) return showPage(session, error.message);
    throw error;
  }
}

function toSuccess({ id, success_url: url }: Stripe.Checkout.Session): string {
  return (url ?? "").replaceAll("{CHECKOUT_SESSION_ID}", id);
}

/** Made with the first try at paying. */
function findOrMake(books: StripeBooks, session: Stripe.Checkout.Session): Stripe.PaymentIntent {
  if (typeof session.payment_intent === "string") return books.requireIntent(session.payment_intent);
  const data = books.intentData.get(session.id) ?? {};
  const intent = newIntent(
    {
      amount: session.amount_total ?? 0,
      currency: session.currency ?? "",
      customer: typeof session.customer === "string" ? session.customer : null,
      description: toText(data.description) ?? null,
      metadata: toMetadata(data.metadata),
    },
    books.about(),
  );
  books.intents.set(intent.id, intent);
  session.payment_intent = intent.id;
  books.happen("payment_intent.created", intent);
  return intent;
}

function showBank(intent: Stripe.PaymentIntent): PageAnswer {
  const isOpen = intent.status === "requires_action";
  const buttons = `<form method="post">
      <p><button name="choice" value="complete">Complete</button></p>
      <p><button name="choice" value="fail">Fail</button></p>
    </form>`;
  return { status: 200, html: toHtml("Your bank asks", isOpen ? buttons : "<p>There is nothing to confirm.</p>") };
}

/** Returns with the parameters that docs.stripe.com/payments describes; from a hosted page, to its end or to itself. */
function answerBank(books: StripeBooks, intent: Stripe.PaymentIntent, form: Params): PageAnswer {
  const returnUrl = intent.next_action?.redirect_to_url?.return_url;
  const session = books.findSessionFor(intent.id);
  const pageUrl = session?.url;
  authenticate(books, intent, form.choice === "complete");
  const isPaid = intent.status === "succeeded";
  if (session) return { status: 303, location: isPaid ? toSuccess(session) : (pageUrl ?? toSuccess(session)) };
  if (!returnUrl) return showBank(intent);
  const back = new URL(returnUrl);
  back.searchParams.set("payment_intent", intent.id);
  back.searchParams.set("payment_intent_client_secret", intent.client_secret ?? "");
  back.searchParams.set("redirect_status", isPaid ? "succeeded" : "failed");
  return { status: 303, location: back.href };
}

function toHtml(title: string, body: string): string {
  return `<!doctype html><html lang="en-GB"><head><meta charset="utf-8"><title>${title}</title>
    <meta name="viewport" content="width=device-width"></head><body><main><h1>${title}</h1>${body}</main></body></html>`;
}

/** A browser's acts: Stripe.js makes a method, and the payer fills in pages. */
export function createStripePayer(fake: Pick<StripeFake, "url" | "keys">) {
  const post = (url: string, fields: Record<string, string>) =>
    fetch(url, { method: "POST", body: new URLSearchParams(fields), redirect: "manual" });
  return {
    async makeMethod(number: string): Promise<string> {
      const answer = await post(`${fake.url}/v1/payment_methods`, {
        key: fake.keys.publishableKey,
        type: "card",
        "card[number]": number,
        "card[exp_month]": "12",
        "card[exp_year]": "2034",
        "card[cvc]": "123",
        "billing_details[name]": "Ada Lovell",
        "billing_details[address][postal_code]": "EX1 1AA",
      });
      const made = (await answer.json()) as { id?: string; error?: { message: string } };
      if (made.id === undefined) throw new Error(made.error?.message ?? "No method was made");
      return made.id;
    },

    /** Returns where the bank's page sends the browser. */
    async authenticate(actionUrl: string, isComplete: boolean): Promise<string | null> {
      const answer = await post(actionUrl, { choice: isComplete ? "complete" : "fail" });
      return answer.headers.get("Location");
    },

    async payOnPage(actionUrl: string, number: string): Promise<string | null> {
      const answer = await post(actionUrl, { choice: "pay", number });
      return answer.headers.get("Location");
    },

    async leavePage(actionUrl: string): Promise<string | null> {
      const answer = await post(actionUrl, { choice: "cancel" });
      return answer.headers.get("Location");
    },
  };
}
