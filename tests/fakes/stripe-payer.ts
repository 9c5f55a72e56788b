import type { StripeFake } from "./stripe.ts";

/** What a browser does at Stripe's: Stripe.js makes a method, and the payer fills in pages. */
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

    /** On the page of the payer's bank; answers where the browser is sent. */
    async authenticate(actionUrl: string, isComplete: boolean): Promise<string | null> {
      const answer = await post(actionUrl, { choice: isComplete ? "complete" : "fail" });
      return answer.headers.get("Location");
    },

    /** On Stripe's payment page. */
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
