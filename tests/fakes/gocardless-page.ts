import type { Clock } from "../../server/clock.ts";
import type { GoCardlessState } from "./gocardless-state.ts";

export type PageAnswer = { status: number; location?: string; html?: string };

type Visit = { method: string; id: string; form: URLSearchParams };

/** GoCardless's own page, on which a company agrees or leaves. Without a form sent it is shown. */
export function answerPage({ method, id, form }: Visit, { state, clock }: Far): PageAnswer {
  const flow = state.all.billing_request_flows.get(id);
  const links = flow?.links as { billing_request: string } | undefined;
  if (!flow || !links) return { status: 404, html: page("<p>There is no such page.</p>") };
  const { status } = state.find("billing_requests", links.billing_request);
  const isOver = status === "cancelled" || clock().toISOString() >= String(flow["expires_at"]);
  if (isOver) return { status: 410, html: page("<p>This link is over. Please ask for another.</p>") };
  if (method === "GET") return { status: 200, html: page(agreementForm) };
  if (form.get("intent") !== "agree") return { status: 303, location: String(flow["exit_uri"]) };
  if (!/^\d{8}$/.test(form.get("account_number") ?? "") || !/^\d{6}$/.test(form.get("branch_code") ?? "")) {
    return { status: 422, html: page(`<p role="alert">Please check the account.</p>${agreementForm}`) };
  }
  state.fulfil(links.billing_request);
  return { status: 303, location: String(flow["redirect_uri"]) };
}

type Far = { state: GoCardlessState; clock: Clock };

/** The account is the one that GoCardless's sandbox takes. */
const agreementForm = `<form method="post">
  <label>Account holder <input name="account_holder_name" value="Acme Ltd"></label>
  <label>Sort code <input name="branch_code" value="200000"></label>
  <label>Account number <input name="account_number" value="55779911"></label>
  <button name="intent" value="agree">Set up this Direct Debit</button>
  <button name="intent" value="exit">Leave</button>
</form>`;

function page(inner: string): string {
  return `<!doctype html><html lang="en"><title>Set up a Direct Debit</title><main><h1>Direct Debit</h1>${inner}</main></html>`;
}
