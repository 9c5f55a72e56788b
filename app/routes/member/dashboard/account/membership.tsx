import { Link } from "react-router";

import buttons from "../../../../components/button.module.css";
import { Face } from "../../../../components/face.tsx";
import { useCheckedForm } from "../../../../forms/checked-form.ts";
import { ErrorSummary } from "../../../../forms/error-summary.tsx";
import { IntentForm, Submit } from "../../../../forms/intent-form.tsx";
import { accountPath } from "../view.ts";
import { findRefusal } from "./account-answer.ts";
import type { AccountProps } from "./account-screen.ts";
import { Row, type RowProps } from "./row.tsx";
import styles from "./account.module.css";

export function Membership({ account, avatar }: Pick<AccountProps, "account" | "avatar">) {
  const { name, membership, contactEmail } = account;
  const { text, refund, company, renewalToken, isSoldElsewhere } = membership;
  return (
    <section id="account-membership" className={styles.who} aria-label="Membership">
      <div className={styles.face}>
        <Face avatar={avatar} name={name} sizeInPx={64} />
      </div>
      <div>
        <h3>{name}</h3>
        <p>{text}</p>
        {refund && <p>{refund}</p>}
        {company && <p className={styles.muted}>{company} pays for it.</p>}
        {isSoldElsewhere && (
          <p className={styles.muted}>
            To carry on, write to <a href={`mailto:${contactEmail}`}>{contactEmail}</a>.
          </p>
        )}
      </div>
      {renewalToken && (
        <IntentForm intent="renew" action="/signup">
          <input type="hidden" name="token" value={renewalToken} />
          <Submit intent="renew" label="Renew" pending="Opening..." />
        </IntentForm>
      )}
      <Receipts {...account} />
    </section>
  );
}

function Receipts({ membership: { receipts, receiptCount }, closePath }: AccountProps["account"]) {
  if (receipts.length === 0) return null;
  return (
    <ul className={styles.list} aria-label="Receipts">
      {receipts.map(({ number, date, amount, state }) => (
        <li key={number}>
          <Link to={`/?receipt=${number}`}>Receipt {number}</Link>
          <span className={styles.quiet}>{`${date}, ${amount}${state ? `, ${state.toLowerCase()}` : ""}`}</span>
        </li>
      ))}
      {receipts.length < receiptCount && (
        <li>
          <Link to={accountPath(closePath, "membership")} replace preventScrollReset>
            {`All ${receiptCount} receipts`}
          </Link>
        </li>
      )}
    </ul>
  );
}

type CancellingProps = Pick<AccountProps, "account" | "answer"> & { row: Omit<RowProps, "children"> };

/** Payments that may still be cancelled (Consumer Contracts Regulations 2013), or the result of that. */
export function Cancelling({ account, answer, row }: CancellingProps) {
  const { cancellable } = account.membership;
  if (cancellable.length === 0 && !row.message && !findRefusal(answer, "cancel")) return null;
  return <CancellingRow {...{ account, answer, row }} />;
}

function CancellingRow({ account, answer, row }: CancellingProps) {
  const [form] = useCheckedForm({ id: "cancel", answer });
  const { cancellable } = account.membership;
  return (
    <Row {...row}>
      <ErrorSummary form={form} fields={[]} />
      {cancellable.map(({ number, paid, amount, date, until }) => (
        <IntentForm key={number} intent="cancel" anchor="account-cancel" className={styles.form} replace>
          <p>
            {`You paid ${paid} on ${date}. You can cancel until ${until} without giving a reason, and we'll refund ${amount === paid ? "all of it" : `the ${amount} that is left`}.`}
          </p>
          <input type="hidden" name="receipt" value={number} />
          {/* Confirmed with and without script: a slip of the thumb would end a year. */}
          <details className={styles.sure}>
            <summary className={buttons.quiet}>Cancel my membership</summary>
            <input type="hidden" name="isSure" value="yes" />
            <p>
              You lose the rest of your membership now. We'll refund {amount} to your card, which takes 5 to 10 working
              days.
            </p>
            <Submit intent="cancel" label={`Cancel and refund ${amount}`} pending="Cancelling..." look="quiet" />
          </details>
        </IntentForm>
      ))}
    </Row>
  );
}
