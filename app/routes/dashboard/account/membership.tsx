import { Link } from "react-router";

import { Icon } from "../../../components/icons.tsx";
import { toLastResult } from "../../../forms/answer.ts";
import { useCheckedForm } from "../../../forms/checked-form.ts";
import { ErrorSummary } from "../../../forms/error-summary.tsx";
import { IntentForm, Submit } from "../../../forms/intent-form.tsx";
import { href } from "../../../paths.ts";
import { accountPath } from "../view.ts";
import { findRefusal } from "./account-answer.ts";
import type { AccountProps } from "./account-screen.ts";
import { Row, type RowProps } from "./row.tsx";
import styles from "./account.module.css";

/** The member, what they have paid for and until when, the way to renew it, and the receipts. */
export function Membership({ account, avatar }: Pick<AccountProps, "account" | "avatar">) {
  const { name, membership, contactEmail } = account;
  const { text, company, renewalToken, isSoldElsewhere } = membership;
  return (
    <section id="account-membership" className={styles.who} aria-label="Membership">
      <div className={styles.face}>
        {avatar ? <img src={href(`/avatars/${avatar}`)} alt="" width={64} height={64} /> : <Icon name="person" />}
      </div>
      <div>
        <h3>{name}</h3>
        <p>{text}</p>
        {company && <p className={styles.muted}>{company} pays for it.</p>}
        {isSoldElsewhere && (
          <p className={styles.muted}>
            To go on, write to <a href={`mailto:${contactEmail}`}>{contactEmail}</a>.
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
      {receipts.map(({ number, date, amount }) => (
        <li key={number}>
          <Link to={`/?receipt=${number}`}>Receipt {number}</Link>
          <span className={styles.quiet}>
            {date}, {amount}
          </span>
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

/** The row of payments that may still be cancelled (Consumer Contracts Regulations 2013), or of what came of that. */
export function Cancelling({ account, answer, row }: CancellingProps) {
  const { cancellable } = account.membership;
  if (cancellable.length === 0 && !row.message && !findRefusal(answer, "cancel")) return null;
  return <CancellingRow {...{ account, answer, row }} />;
}

function CancellingRow({ account, answer, row }: CancellingProps) {
  const [form] = useCheckedForm({ id: "cancel", lastResult: toLastResult(answer, "cancel") });
  const { cancellable } = account.membership;
  return (
    <Row {...row}>
      <ErrorSummary form={form} fields={[]} />
      {cancellable.map(({ number, amount, date, until }) => (
        <IntentForm key={number} intent="cancel" place="account-cancel" className={styles.form} replace>
          <p>
            You paid {amount} on {date}. Until {until} you may cancel that without a reason. Your membership then ends
            at once, and all of the {amount} goes back to your card.
          </p>
          <input type="hidden" name="receipt" value={number} />
          <Submit intent="cancel" label="Cancel and get my money back" pending="Cancelling..." look="quiet" />
        </IntentForm>
      ))}
    </Row>
  );
}
