import type { Mailer } from "../../platform/email/sending.ts";
import { catchProviderError, isUnrelated, type ProviderRefusal } from "../../provider/client/answers.ts";
import type { ProviderClient } from "../../provider/client/client.ts";

/**
 * A provider writes emails in its own words, from name and facts. It sends those that it does not know itself, so none
 * is sent twice.
 */
export function createProviderMailer({ client }: { client: Pick<ProviderClient, "call"> }): Mailer {
  return {
    async send({ to, facts }) {
      if (!facts) return { ok: false, isPermanent: true, reason: "The provider has no such email to send for us" };
      const { name, firstName: first_name, code, token, site } = facts;
      const sending = client.call("sendemail", { name, email: to, first_name, code, token, site });
      const sent = await catchProviderError(sending, ({ message }) => message);
      if (typeof sent === "string") return { ok: false, isPermanent: false, reason: sent };
      // A wrong key or a busy provider is no fault of the email.
      return sent.ok ? { ok: true } : { ok: false, isPermanent: !isUnrelated(sent), reason: refusalText(sent) };
    },

    async check() {
      // This call sends no email.
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
