import { Form, href } from "react-router";

import { describeActs } from "../../../../server/operations/acts/acts.ts";
import type { OutboxEntry } from "../../../../server/platform/email/outbox.ts";
import { formatDateTime } from "../../../../server/platform/format.ts";
import { DataTable } from "../parts/data-table.tsx";
import buttons from "../../../components/button.module.css";
import { TabLink } from "../../../components/links.tsx";
import { PlainField } from "../../../forms/field.tsx";
import { requireServices } from "../../../frame/middleware/guards.ts";
import { withSearch } from "../../../frame/paths.ts";
import type { Route } from "./+types/emails.ts";
import { ActForm, Acts, LostRefusal } from "../act-form.tsx";
import { runDeskAct } from "../acts.server.ts";
import { Emails as FoundEmails } from "../member/member-tables.tsx";
import { toEmail } from "../member/member-texts.ts";
import { DeskPage, DeskPages } from "../desk-page.tsx";
import type { ScreenHandle } from "../navigation.ts";
import { requireOperator } from "../operator.ts";
import { readCursor, toCursorText } from "../../../../server/operations/lists/list-table.ts";
import screen from "../screen.module.css";
import styles from "../health/health.module.css";

export const handle: ScreenHandle = { tab: "Health", link: "Emails", order: 51, key: "e" };

export { readRetryAfter as headers } from "../../../forms/answer.ts";

const EMAILS = 25;
/** One address hardly gets more in ninety days. */
const FOUND = 100;

export async function loader({ context, url: { searchParams } }: Route.LoaderArgs) {
  const { operator } = requireOperator(context);
  const { outbox, clock } = requireServices(context);
  const state = readState(searchParams);
  const to = (searchParams.get("to") ?? "").trim();
  if (to !== "") {
    const found = await outbox.list({ recipient: to, limit: FOUND });
    return { name: "found" as const, to, emails: found.map((email) => toEmail(email, clock())) };
  }
  const { emails, next } = await outbox.listPage({
    state,
    limit: EMAILS,
    before: readCursor(searchParams.get("before") ?? ""),
  });
  return {
    name: "list" as const,
    acts: describeActs(operator.role, [
      "mail test",
      "mail resend",
      "mail acknowledge",
      "mail resend-all",
      "mail acknowledge-all",
    ]),
    state,
    emails: emails.map(toShown),
    isFirst: !searchParams.has("before"),
    nextPath: next && withSearch(href("/desk/emails"), { state, before: toCursorText(next) }),
  };
}

export const action = (args: Route.ActionArgs) => runDeskAct(args, { "email list": readState(args.url.searchParams) });

function readState(params: URLSearchParams): "failed" | "waiting" {
  return params.get("state") === "waiting" ? "waiting" : "failed";
}

const failures = {
  refused: "Refused by the mail server",
  "refused-unproved": "Bounced from an unconfirmed address, perhaps mistyped",
  "given-up": "Failed after a day of tries",
};

function toShown(mail: OutboxEntry) {
  const { id, kind, to, createdAt, dueAt, failedAt, failure, attempts, lastError, acknowledgedAt } = mail;
  return {
    id,
    kind: kind.replaceAll("-", " "),
    to,
    writtenAt: formatDateTime(createdAt),
    dueAt: dueAt && formatDateTime(dueAt),
    failedAt: failedAt && formatDateTime(failedAt),
    failure: failure && failures[failure],
    attempts,
    lastError,
    notedAt: acknowledgedAt && formatDateTime(acknowledgedAt),
  };
}

const states = [
  ["failed", "Failed"],
  ["waiting", "Waiting"],
] as const;

export default function Emails({ loaderData }: Route.ComponentProps) {
  return loaderData.name === "found" ? <Found {...loaderData} /> : <List {...loaderData} />;
}

type Screen = Route.ComponentProps["loaderData"];
type Shown = Extract<Screen, { name: "list" }>;

function Found({ to, emails }: Extract<Screen, { name: "found" }>) {
  return (
    <DeskPage title={`Emails to ${to}`}>
      <StateTabs />
      <LookUp to={to} />
      <FoundEmails emails={emails} />
    </DeskPage>
  );
}

function LookUp({ to }: { to?: string }) {
  return (
    <Form className={screen.search} role="search">
      <PlainField
        id="to"
        name="to"
        type="email"
        label="All emails to an address"
        defaultValue={to}
        errors={undefined}
        autoComplete="off"
        required
      />
      <button className={buttons.quiet}>Look it up</button>
    </Form>
  );
}

function StateTabs({ state }: { state?: "failed" | "waiting" }) {
  return (
    <nav aria-label="Emails" className={screen.links}>
      {states.map(([each, label]) => (
        <TabLink
          key={each}
          to={withSearch(href("/desk/emails"), { state: each })}
          aria-current={each === state ? "page" : undefined}
        >
          {label}
        </TabLink>
      ))}
    </nav>
  );
}

function List({ acts, state, emails, isFirst, nextPath }: Shown) {
  const isOfFailures = state === "failed";
  const title = isOfFailures ? "Failed emails" : "Waiting emails";
  return (
    <DeskPage title={title}>
      <StateTabs state={state} />
      <LookUp />
      <ActForm act={acts["mail test"]} />
      {(["mail resend", "mail acknowledge"] as const).map((act) => (
        <LostRefusal key={act} act={act} items={emails.map(({ id }) => id)} />
      ))}
      {isOfFailures && emails.length > 0 && <ForAll acts={acts} />}
      <DataTable
        caption={title}
        columns={["Email", "To", "Written", isOfFailures ? "Failed" : "Next try", "Why", "Acts"]}
        rows={emails.map((email) => ({
          key: email.id,
          cells: [
            `${email.id}, ${email.kind}`,
            email.to,
            email.writtenAt,
            isOfFailures ? email.failedAt : email.dueAt,
            whyText(email),
            <EmailActs key="acts" {...email} acts={acts} isFailed={isOfFailures} />,
          ],
        }))}
        whenEmpty={isOfFailures ? "No email has failed in the last ninety days." : "No emails are waiting."}
      />
      <DeskPages firstPath={isFirst ? undefined : withSearch(href("/desk/emails"), { state })} nextPath={nextPath} />
    </DeskPage>
  );
}

type ShownEmail = Shown["emails"][number];

function whyText({ failure, attempts, lastError, notedAt }: ShownEmail): string {
  const tries = attempts === 0 ? "not tried yet" : attempts === 1 ? "1 try" : `${attempts} tries`;
  const noted = notedAt && `dismissed on ${notedAt}`;
  return [failure, lastError, tries, noted].filter(Boolean).join("; ");
}

function ForAll({ acts }: Pick<Shown, "acts">) {
  return (
    <section aria-label="For all of them">
      <Acts forms={[{ act: acts["mail resend-all"], isNeeded: true }, { act: acts["mail acknowledge-all"] }]} />
    </section>
  );
}

function EmailActs({ id, notedAt, acts, isFailed }: ShownEmail & Pick<Shown, "acts"> & { isFailed: boolean }) {
  return (
    <div className={styles.acts}>
      <ActForm look="small" act={acts["mail resend"]} item={id} />
      {isFailed && notedAt === undefined && <ActForm look="small" act={acts["mail acknowledge"]} item={id} />}
    </div>
  );
}
