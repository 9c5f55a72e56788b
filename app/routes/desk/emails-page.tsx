import { TabLink } from "../../components/links.tsx";
import { DataTable } from "../../components/data-table.tsx";
import { ActForm, LostRefusal } from "./act-form.tsx";
import { DeskPages } from "./desk-layout.tsx";
import type { EmailsScreen } from "./emails.ts";
import { HealthLinks } from "./health-page.tsx";
import { deskPath } from "./view.ts";
import desk from "./desk.module.css";
import styles from "./health.module.css";

const lists = [
  ["failed", "Failed"],
  ["waiting", "Waiting"],
] as const;

export function EmailsPage({ title, state, emails, isFirst, nextPath }: EmailsScreen) {
  const isOfFailures = state === "failed";
  return (
    <>
      <HealthLinks current="emails" />
      <nav aria-label="Emails" className={styles.links}>
        {lists.map(([each, label]) => (
          <TabLink
            key={each}
            to={deskPath("emails", { state: each })}
            aria-current={each === state ? "page" : undefined}
          >
            {label}
          </TabLink>
        ))}
      </nav>
      {(["email-resend", "email-acknowledge"] as const).map((act) => (
        <LostRefusal key={act} act={act} subjects={emails.map(({ id }) => id)} />
      ))}
      {isOfFailures && emails.length > 0 && <ForAll />}
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
            sayWhy(email),
            <EmailActs key="acts" {...email} isFailed={isOfFailures} />,
          ],
        }))}
        whenEmpty={isOfFailures ? "No email has failed in the last ninety days." : "No email waits."}
      />
      <DeskPages firstPath={isFirst ? undefined : deskPath("emails", { state })} nextPath={nextPath} />
    </>
  );
}

type ShownEmail = EmailsScreen["emails"][number];

function sayWhy({ failure, attempts, lastError, notedAt }: ShownEmail): string {
  const tries = attempts === 0 ? "not tried yet" : attempts === 1 ? "1 try" : `${attempts} tries`;
  const noted = notedAt && `noted on ${notedAt}`;
  return [failure, lastError, tries, noted].filter(Boolean).join("; ");
}

function ForAll() {
  return (
    <section className={desk.section} aria-label="For all of them">
      <ActForm
        act="emails-resend"
        title="Try all again"
        button="Try all again"
        pending="Queuing them..."
        note="Each that failed and is not noted goes out once more. Emails that held a code or a link stay: their words are erased."
      />
      <ActForm
        act="emails-acknowledge"
        title="Take note of all"
        button="Take note of all"
        pending="Noting them..."
        note="They stay in this list, and no longer count as trouble."
      />
    </section>
  );
}

function EmailActs({ id, notedAt, isFailed }: ShownEmail & { isFailed: boolean }) {
  return (
    <div className={styles.acts}>
      <ActForm
        act="email-resend"
        subject={id}
        title={`Try email ${id} again`}
        button="Try again"
        pending="Queuing it..."
      />
      {isFailed && notedAt === undefined && (
        <ActForm
          act="email-acknowledge"
          subject={id}
          title={`Take note of email ${id}`}
          button="Take note"
          pending="Noting it..."
        />
      )}
    </div>
  );
}
