import type { Mailer } from "../../email/mailer.ts";
import type { ProviderClient } from "../../provider/client/client.ts";
import { isAway, ProviderError, type ProviderRefusal } from "../../provider/client/line.ts";

/**
 * Emails that a provider writes in its own words: it is told which and what it has to say. What it does not know it sends by itself,
 * for its own causes, so nothing goes twice.
 */
export function createProviderMailer({ client }: { client: Pick<ProviderClient, "call"> }): Mailer {
  return {
    async send({ to, facts }) {
      if (!facts) return { ok: false, isPermanent: true, reason: "The provider has no such email to send for us" };
      const { name, firstName: first_name, code, token, site } = facts;
      try {
        const sent = await client.call("sendemail", { name, email: to, first_name, code, token, site });
        return sent.ok ? { ok: true } : { ok: false, isPermanent: isFinal(sent), reason: say(sent) };
      } catch (error) {
        if (error instanceof ProviderError) return { ok: false, isPermanent: false, reason: error.message };
        throw error;
      }
    },

    async check() {
      try {
        // It has a provider say something without writing to anybody.
        const asked = await client.call("createpaymentmethod", {});
        if (asked.ok) return { isWell: true, says: "Emails are sent by the provider." };
        return { isWell: false, says: `${say(asked)}. Is API_KEY right?` };
      } catch (error) {
        if (error instanceof ProviderError) return { isWell: false, says: error.message };
        throw error;
      }
    },

    close: () => undefined,
  };
}

/** A wrong key or a busy provider is mended without the email being another. */
function isFinal(refusal: ProviderRefusal): boolean {
  return !isAway(refusal) && refusal.status !== 401;
}

function say({ status, message }: ProviderRefusal): string {
  return `The provider answered ${status}: ${message}`;
}
