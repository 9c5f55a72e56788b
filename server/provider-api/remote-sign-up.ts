import type { Log } from "../log.ts";
import type { Sessions } from "../sessions/sessions.ts";
import type { Admission } from "../sign-up/admission.ts";
import type { Drafts } from "../sign-up/drafts.ts";
import { ProviderError } from "./provider-client-refusal.ts";
import type { ProviderTokens } from "./provider-tokens.ts";
import { createOpening, type OpeningRooms } from "./remote-sign-up-opening.ts";
import type { Standing } from "./remote-standing.ts";

type AdmissionRooms = OpeningRooms & {
  drafts: Pick<Drafts, "forgetPassword">;
  sessions: Pick<Sessions, "start">;
  tokens: Pick<ProviderTokens, "keep">;
  standing: Pick<Standing, "forget">;
  /** What is to be done for whoever came in, before they see a page. */
  welcome: { done(): Promise<void> };
  log: Log;
};

/**
 * Accounts that are a provider's. One is opened just before its first payment, by the password that was typed in step 1, which the
 * draft therefore keeps, sealed. That one is asked for is written down first: where the answer is lost, whoever has the draft's
 * password logs in to what was made.
 */
export function createRemoteAdmission(rooms: AdmissionRooms): Admission {
  const { admissions, drafts, sessions, tokens, standing, welcome, seal, log } = rooms;
  const opening = createOpening(rooms);
  return {
    keepPassword: async (password) => seal.seal(password),

    async isTaken({ email, password, before }) {
      const own = before && (await admissions.find({ id: before.id, email }));
      const kept = before?.keptPassword;
      // The account has the password that it was opened with: another one cannot be set from here.
      const isOwn = own !== undefined && kept !== undefined && seal.open(kept) === password;
      if (own?.memberId !== undefined) return !isOwn;
      try {
        return (await opening.isRegistered(email)) && !isOwn;
      } catch (error) {
        if (!(error instanceof ProviderError)) throw error;
        // It is asked again before anything is charged.
        log.warn({ error }, "an address could not be looked up");
        return false;
      }
    },

    async prepare(draft, address) {
      const own = await admissions.find(draft);
      if (own?.memberId !== undefined && own.token !== undefined) return { ok: true };
      try {
        return await opening.open(draft, { address, own });
      } catch (error) {
        if (!(error instanceof ProviderError)) throw error;
        log.warn({ error, draft: draft.id }, "an account could not be opened");
        return { ok: false, reason: "unreachable" };
      }
    },

    async startSession(memberId, browser) {
      const session = await sessions.start(memberId, browser);
      const token = await admissions.findToken(memberId);
      if (token !== undefined) await tokens.keep(session.token, { memberId, token });
      await admissions.forgetTokens(memberId);
      standing.forget(memberId);
      await welcome.done();
      return session;
    },

    letRest: (draftId) => drafts.forgetPassword(draftId),
  };
}
