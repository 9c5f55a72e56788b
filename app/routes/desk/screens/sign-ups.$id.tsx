import { Link } from "react-router";

import { displayFullName } from "../../../../server/members/accounts/profile-fields.ts";
import { describeActs } from "../../../../server/operations/acts/acts.ts";
import { formatRecent } from "../../../../server/platform/format.ts";
import { requireServices } from "../../../frame/middleware/guards.ts";
import type { Route } from "./+types/sign-ups.$id.ts";
import { Acts, LostRefusal } from "../act-form.tsx";
import { runDeskAct } from "../acts.server.ts";
import { CopyButton } from "../parts/copy-button.tsx";
import { DeskPage, Facts } from "../desk-page.tsx";
import { Challenges, Emails } from "../member/member-tables.tsx";
import { toChallenge, toEmail } from "../member/member-texts.ts";
import type { ScreenHandle } from "../navigation.ts";
import { requireOperator } from "../operator.ts";
import { memberPath } from "../parts/paths.ts";
import { requireNumbered } from "../parts/paging.ts";

export const handle: ScreenHandle = { tab: "Members" };

export { readRetryAfter as headers } from "../../../forms/answer.ts";

const EMAILS_SHOWN = 20;
const WHAT_FOR = "A code and a link for the address";

/** People ask for help before they are members, too. */
export async function loader({ context, params }: Route.LoaderArgs) {
  const { operator } = requireOperator(context);
  const { signUp, outbox, plans, clock } = requireServices(context);
  const now = clock();
  const draft = await requireNumbered(params.id, (id) => signUp.findOpen(id));
  const [challenges, emails] = await Promise.all([
    signUp.listChallenges(draft.id),
    outbox.list({ recipient: draft.email, limit: EMAILS_SHOWN }),
  ]);
  const plan = plans.find(({ type }) => type === draft.planType)?.label;
  const facts: [label: string, value: string | undefined][] = [
    ["Name", displayFullName(draft)],
    ["Email", draft.email],
    ["Address verified", draft.isVerified ? "yes" : "not yet"],
    ["Type", draft.accountType],
    ["Code", draft.code],
    ["Plan", plan],
    ["Started", formatRecent(draft.createdAt, now)],
    ["Expires", formatRecent(draft.expiresAt, now)],
  ];
  return {
    title: draft.purpose === "join" ? "Unfinished sign-up" : "Unfinished renewal",
    email: draft.email,
    facts,
    acts: describeActs(operator.role, ["sign-up verification"]),
    isVerified: draft.isVerified,
    challenges: challenges.map((challenge) => toChallenge(challenge, { what: WHAT_FOR, now })),
    // The address may have been another member's before.
    emails: emails
      .filter(({ createdAt, memberId }) => createdAt >= draft.createdAt && memberId === draft.memberId)
      .map((email) => toEmail(email, now)),
    memberId: draft.memberId,
  };
}

export const action = (args: Route.ActionArgs) => runDeskAct(args, { "sign-up": args.params.id });

export default function SignUp({ loaderData }: Route.ComponentProps) {
  const { title, email, facts, acts, isVerified, memberId, emails, challenges } = loaderData;
  return (
    <DeskPage
      title={title}
      state={
        isVerified ? { text: "address verified", tone: "good" } : { text: "address not verified yet", tone: "waits" }
      }
      about={
        <>
          <span>
            {email}
            <CopyButton text={email} what="address" />
          </span>
          {memberId !== undefined && <Link to={memberPath(memberId)}>The member who renews</Link>}
        </>
      }
    >
      {isVerified ? (
        <LostRefusal act="sign-up verification" />
      ) : (
        <Acts forms={[{ act: acts["sign-up verification"], isNeeded: true }]} />
      )}
      <Facts facts={facts} />
      <Emails emails={emails} />
      <Challenges challenges={challenges} />
    </DeskPage>
  );
}
