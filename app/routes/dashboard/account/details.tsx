import { useEffect, useState } from "react";

import { ErrorSummary } from "../../../forms/error-summary.tsx";
import { refusalOf, savedOf } from "./account-answer.ts";
import type { AccountProps } from "./account-props.ts";
import type { AccountScreen } from "./account-screen.ts";
import { DetailsForm } from "./details-form.tsx";
import { useTypedDetails } from "./typed-details.ts";
import styles from "./account.module.css";

/** Names, address and picture: what is typed is pending until it is saved, and Cancel drops it (spec, section 4). */
export function Details({ account, answer, avatar }: AccountProps) {
  const [cancelled, setCancelled] = useState({ count: 0, answer: undefined as typeof answer });
  const { ref, typed, remember, noteSent, forget } = useTypedDetails(account, savedOf(answer));
  const refusal = answer === cancelled.answer ? undefined : refusalOf(answer, "profile");
  const typedBefore = typed ?? (cancelled.count > 0 ? undefined : account.unsent);

  // The link that was pressed went with the form that it stood in.
  useEffect(() => {
    if (cancelled.count > 0) ref.current?.querySelector<HTMLElement>("form a")?.focus();
  }, [cancelled.count, ref]);

  function cancel(): void {
    forget();
    setCancelled({ count: cancelled.count + 1, answer });
  }

  if (!account.canChange) return <KnownDetails account={account} />;
  return (
    <div ref={ref} className={styles.details} onInput={remember}>
      {refusal?.isPictureKept && <p className={styles.notice}>Your picture is saved.</p>}
      <ErrorSummary echo={refusal?.echo} />
      <DetailsForm
        // What was saved or cancelled makes the form anew: only what was typed since stands in it.
        key={JSON.stringify([account.profile, avatar, cancelled.count])}
        account={account}
        avatar={avatar}
        refusal={refusal}
        typed={refusal ? { ...typedBefore, ...refusal.echo.values } : typedBefore}
        onSubmit={noteSent}
        onCancel={cancel}
      />
    </div>
  );
}

/** For who has no active subscription: what we know, and who changes it. */
function KnownDetails({ account: { profile, contactEmail } }: { account: AccountScreen }) {
  const facts = [
    ["First Name", profile.firstName],
    ["Surname", profile.lastName],
    ["Email Address", profile.email],
  ];
  return (
    <>
      <dl className={styles.facts}>
        {facts.map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <p className={styles.muted}>
        Without an active subscription you cannot change these yourself. Write to{" "}
        <a href={`mailto:${contactEmail}`}>{contactEmail}</a> and we will change them for you.
      </p>
    </>
  );
}
