import { DataTable } from "../../components/data-table.tsx";
import type { toChallenge, toEmail } from "./member-texts.ts";
import styles from "./desk.module.css";

/** What a member's screen and that of a sign-up both show. */

export function Emails({ emails }: { emails: ReturnType<typeof toEmail>[] }) {
  return (
    <section className={styles.section}>
      <h2>Emails of the last ninety days</h2>
      <DataTable
        caption="Emails of the last ninety days"
        columns={["Email", "To", "Written", "What became of it"]}
        rows={emails.map(({ id, what, to, at, state }) => ({ key: id, cells: [what, to, at, state] }))}
        whenEmpty="None."
      />
    </section>
  );
}

export function Challenges({ challenges }: { challenges: ReturnType<typeof toChallenge>[] }) {
  return (
    <section className={styles.section}>
      <h2>Codes and links that wait for an answer</h2>
      <DataTable
        caption="Codes and links that wait for an answer"
        columns={["What for", "Since", "Until", { label: "Wrong codes", isNumber: true }]}
        rows={challenges.map(({ what, since, until, wrongCodes }, index) => ({
          key: index,
          cells: [what, since, until, wrongCodes],
        }))}
        whenEmpty="None."
      />
    </section>
  );
}
