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
      {(["mail resend", "mail acknowledge"] as const).map((act) => (
        <LostRefusal key={act} act={act} items={emails.map(({ id }) => id)} />
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
      <ActForm act="mail resend-all" />
      <ActForm act="mail acknowledge-all" />
    </section>
  );
}

function EmailActs({ id, notedAt, isFailed }: ShownEmail & { isFailed: boolean }) {
  return (
    <div className={styles.acts}>
      <ActForm act="mail resend" item={id} />
      {isFailed && notedAt === undefined && <ActForm act="mail acknowledge" item={id} />}
    </div>
  );
}
