import { Link } from "react-router";

import type { ActName } from "../../../server/acts/acts.ts";
import { DataTable } from "../../components/data-table.tsx";
import { Pages } from "../../components/pages.tsx";
import { ActForm, LostRefusal } from "./act-form.tsx";
import { AuditTable } from "./audit.tsx";
import { Facts } from "./desk-layout.tsx";
import type { MemberScreen } from "./member.ts";
import type { SignUpScreen } from "./sign-up.ts";
import { deskPath } from "./view.ts";
import styles from "./desk.module.css";

export function MemberPage(member: MemberScreen) {
  return (
    <>
      {listHiddenActs(member).map((act) => (
        <LostRefusal key={act} act={act} />
      ))}
      <LostRefusal
        act="member refund"
        items={member.orders.filter(({ canGiveBack }) => canGiveBack).map(({ id }) => id)}
      />
      <div className={styles.columns}>
        <div className={styles.section}>
          <Facts facts={[...member.facts, ["Access", member.access], ["Why", member.why]]} />
        </div>
        <MemberActs {...member} />
      </div>
      <Orders orders={member.orders} />
      <Terms terms={member.terms} />
      <Contact {...member} />
      <section className={styles.section}>
        <h2>What operators did</h2>
        <AuditTable caption="What operators did" entries={member.actions} />
      </section>
    </>
  );
}

/** The acts that this member's page has no form for. Another operator may have made a form disappear after it was opened. */
function listHiddenActs({ isClosed, hasPending, isRevoked }: MemberScreen): ActName[] {
  if (isClosed) return actsOfOpen;
  return [...(hasPending ? [] : ["member verification" as const]), ...(isRevoked ? [] : ["member restore" as const])];
}

const actsOfOpen: ActName[] = [
  "member verification",
  "member reset",
  "member name",
  "member address",
  "member sessions",
  "member term",
  "member restore",
  "member deactivate",
  "member close",
];

/** The forms. Only the member's own email can open a closed account again. */
function MemberActs({ names, isClosed, hasPending, isRevoked }: MemberScreen) {
  if (isClosed)
    return <p className={styles.note}>This account is closed. Its member can open it again by their email.</p>;
  return (
    <div className={styles.section}>
      {hasPending && <ActForm act="member verification" />}
      <ActForm act="member reset" />
      <ActForm act="member name" values={names} />
      <ActForm act="member address" />
      <AccessActs isRevoked={isRevoked} />
    </div>
  );
}

function AccessActs({ isRevoked }: Pick<MemberScreen, "isRevoked">) {
  return (
    <>
      <ActForm act="member sessions" />
      <ActForm act="member term" />
      {isRevoked && <ActForm act="member restore" />}
      <ActForm act="member deactivate" />
      <ActForm act="member close" />
    </>
  );
}

/** The ledger: orders with their payments, refunds and disputes. */
function Orders({ orders }: Pick<MemberScreen, "orders">) {
  return (
    <section className={styles.section}>
      <h2>Orders and payments</h2>
      <DataTable
        caption="Orders and payments"
        columns={["Date", "What", { label: "Amount", isNumber: true }, "State", "Receipt", "Payments"]}
        rows={orders.map(({ id, date, what, amount, state, receipt, payments, disputes }) => ({
          key: id,
          cells: [date, what, amount, state, receipt, <Payments key="payments" {...{ payments, disputes }} />],
        }))}
        whenEmpty="There was never an order."
      />
      {orders
        .filter(({ canGiveBack }) => canGiveBack)
        .map(({ id, amount, date }) => (
          <ActForm key={id} act="member refund" item={id} words={{ amount, date }} />
        ))}
    </section>
  );
}

function Payments({ payments, disputes }: Pick<MemberScreen["orders"][number], "payments" | "disputes">) {
  if (payments.length === 0 && disputes.length === 0) return "–";
  return (
    <ul className={styles.lines}>
      {payments.map(({ id, at, state, why }) => (
        <li key={id}>
          {at}: {state}. {why}
        </li>
      ))}
      {disputes.map((dispute) => (
        <li key={dispute}>{dispute}</li>
      ))}
    </ul>
  );
}

function Terms({ terms }: Pick<MemberScreen, "terms">) {
  return (
    <section className={styles.section}>
      <h2>Terms</h2>
      <DataTable
        caption="Terms"
        columns={["From", "Until", "Given by", "Ended before its time"]}
        rows={terms.map(({ id, from, until, by, ended }) => ({ key: id, cells: [from, until, by, ended] }))}
        whenEmpty="There was never a term."
      />
    </section>
  );
}

/** Where they are logged in, and what was written to them. */
function Contact({ id, devices, emails, challenges }: MemberScreen) {
  return (
    <>
      <section className={styles.section}>
        <h2>Where they are logged in</h2>
        <DataTable
          caption="Where they are logged in"
          columns={["Browser", "Since", "Last used"]}
          rows={devices.shown.map(({ device, startedOn, seenOn }, index) => ({
            key: index,
            cells: [device, startedOn, seenOn],
          }))}
          whenEmpty="Nowhere."
        />
        <Pages {...devices} pathOf={(page) => deskPath("member", { id, devices: page })} />
      </section>
      <Emails emails={emails} />
      <Challenges challenges={challenges} />
    </>
  );
}

function Emails({ emails }: Pick<MemberScreen, "emails">) {
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

function Challenges({ challenges }: Pick<MemberScreen, "challenges">) {
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

/** A sign-up or a renewal that is under way. */
export function SignUpPage({ facts, isVerified, memberId, emails, challenges }: SignUpScreen) {
  return (
    <>
      <Facts facts={facts} />
      {memberId !== undefined && <Link to={deskPath("member", { id: memberId })}>The member who renews</Link>}
      {isVerified ? <LostRefusal act="sign-up verification" /> : <ActForm act="sign-up verification" />}
      <Emails emails={emails} />
      <Challenges challenges={challenges} />
    </>
  );
}
