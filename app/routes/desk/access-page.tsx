import { useActionData } from "react-router";

import { DataTable } from "../../components/data-table.tsx";
import type { AccessScreen } from "./access.ts";
import { ActForm } from "./act-form.tsx";
import type { DeskAnswer } from "./acts.ts";
import { Facts } from "./desk-layout.tsx";
import { AddPasskey } from "./passkey-button.tsx";
import styles from "./desk.module.css";

export function AccessPage({ email, role, doorLink, passkeys, sessions }: AccessScreen) {
  const answer = useActionData<DeskAnswer>();
  return (
    <>
      {answer && "shownOnce" in answer && <ShownOnce {...answer} />}
      <Facts
        facts={[
          ["Email", email],
          ["Role", role],
          [
            "Your link to the desk",
            <>
              <code>{doorLink}</code>
              <br />
              Open it once in each browser in which you want to log in. Without it the desk cannot be found.
            </>,
          ],
        ]}
      />
      <Passkeys passkeys={passkeys} />
      <RecoveryCodes />
      <Sessions sessions={sessions} />
    </>
  );
}

/** Codes that no other page will ever show. */
export function ShownOnce({ message, shownOnce }: { message: string; shownOnce: string[] }) {
  return (
    <section className={styles.shownOnce} role="status">
      <p>{message} Write them down now: they are not shown again.</p>
      <ul>
        {shownOnce.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Passkeys({ passkeys }: Pick<AccessScreen, "passkeys">) {
  return (
    <section className={styles.section}>
      <h2>Passkeys</h2>
      <DataTable
        caption="Passkeys"
        columns={["Name", "Added", "Last used"]}
        rows={passkeys.map(({ id, name, addedOn, usedOn }) => ({ key: id, cells: [name, addedOn, usedOn] }))}
        whenEmpty="You have no passkey. With one you log in by a finger, a face or a PIN of your device."
      />
      <AddPasskey />
      {passkeys.map(({ id, name }) => (
        <ActForm key={id} act="access passkey-remove" item={id} words={{ name }} />
      ))}
    </section>
  );
}

function RecoveryCodes() {
  return (
    <section className={styles.section}>
      <h2>Recovery codes</h2>
      <p>Each logs you in once, in place of a code of your app, if you have lost your phone.</p>
      <ActForm act="access recovery" />
    </section>
  );
}

function Sessions({ sessions }: Pick<AccessScreen, "sessions">) {
  return (
    <section className={styles.section}>
      <h2>Where you are logged in</h2>
      <DataTable
        caption="Where you are logged in"
        columns={["Browser", "Since"]}
        rows={sessions.map(({ device, startedOn, isThis }, index) => ({
          key: index,
          cells: [isThis ? `${device}, this one` : device, startedOn],
        }))}
        whenEmpty="Nowhere."
      />
      <ActForm act="access sessions" />
    </section>
  );
}
