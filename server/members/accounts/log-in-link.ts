import { claimCodeLink, type CodeLogIn, requestCode, type RequestCodeResult } from "../challenges/code-log-in.ts";
import type { Browser, StartedSession } from "../sessions/sessions.ts";
import { type AccountsContext, isSubjectFor, linkPurposes, toSubject } from "./context.ts";
import { findMemberByEmail, holdOpenMember } from "./members.ts";
import type { ResetRequest } from "./password-reset.ts";

/** Logs in by a link in an email, with the limits and the secrecy of a password reset. */
export type LogInLink = {
  /** The same answer and work for unknown addresses, and within a minute of the last email, when none is sent. */
  request(request: Omit<ResetRequest, "note">): Promise<RequestCodeResult>;
  /** Changes nothing: for the page that shows the button. */
  peek(token: string): Promise<boolean>;
  /** Works once within ten minutes, and logs in the browser that opens it. */
  use(token: string, browser: Browser): Promise<StartedSession | undefined>;
};

const byLink: CodeLogIn = {
  name: "log-in link",
  purpose: linkPurposes.enter,
  attemptsOfNetwork: 60,
  hold: async (id, trx) => (await holdOpenMember(id, trx)) !== undefined,
};

export function createLogInLink(ctx: AccountsContext): LogInLink {
  return {
    request: (request) => requestLink(ctx, request),
    peek: async (token) => (await ctx.challenges.peekLink(byLink.purpose, token)) !== undefined,
    use: (token, browser) => enterByLink(ctx, token, browser),
  };
}

function requestLink(
  ctx: AccountsContext,
  { email, address, site }: Omit<ResetRequest, "note">,
): Promise<RequestCodeResult> {
  return requestCode(ctx, byLink, {
    email,
    address,
    async prepare() {
      const member = await findMemberByEmail(email, ctx.db);
      return {
        id: member?.id,
        subject: toSubject(ctx, member?.id, email),
        write: ({ token }, trx) => ctx.emails.logInLink({ member, site, token }, trx),
      };
    },
  });
}

async function enterByLink(ctx: AccountsContext, token: string, browser: Browser): Promise<StartedSession | undefined> {
  const entered = await claimCodeLink(ctx, byLink, {
    token,
    async admit({ id, subject }, trx) {
      const held = await holdOpenMember(id, trx);
      if (!held || !isSubjectFor(ctx, subject, held)) return undefined;
      return { id, session: await ctx.sessions.start(id, browser, { secret: token, trx }) };
    },
  });
  if (entered) ctx.log.info({ member: entered.id, by: "link" }, "a member logged in");
  return entered?.session;
}
