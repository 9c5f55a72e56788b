import type { Mailer } from "../../platform/email/sending.ts";
import { catchProviderError, isUnrelated, type ProviderRefusal } from "../../provider/client/answers.ts";
import type { ProviderClient } from "../../provider/client/client.ts";

/**
 * Emails that a provider writes in its own words: it gets the name and the facts. It sends the emails that it does not know by itself,
 * so nothing goes twice.
 */
export function createProviderMailer({ client }: { client: Pick<ProviderClient, "call"> }): Mailer {
  return {
    async send({ to, facts }) {
      if (!facts) return { ok: false, isPermanent: true, reason: "The provider has no such email to send for us" };
      const { name, firstName: first_name, code, token, site } = facts;
      const sending = client.call("sendemail", { name, email: to, first_name, code, token, site });
      const sent = await catchProviderError(sending, ({ message }) => message);
      if (typeof sent === "string") return { ok: false, isPermanent: false, reason: sent };
      // A wrong key or a busy provider is mended without the email being another.
      return sent.ok ? { ok: true } : { ok: false, isPermanent: !isUnrelated(sent), reason: refusalText(sent) };
    },

    async check() {
      // A call that sends nothing to anybody.
      const outcome = await catchProviderError(client.call("createpaymentmethod", {}), ({ message }) => message);
      if (typeof outcome === "string") return { isWell: false, message: outcome };
      if (outcome.ok) return { isWell: true, message: "Emails are sent by the provider." };
      return { isWell: false, message: `${refusalText(outcome)}. Is API_KEY right?` };
    },

    close: () => undefined,
  };
}

function refusalText({ status, message }: ProviderRefusal): string {
  return `The provider answered ${status}: ${message}`;
}
