import buttons from "../../../../components/button.module.css";
import { NewsletterSwitch } from "../../../../forms/newsletter-switch.tsx";
import { useCheckedForm } from "../../../../forms/checked-form.ts";
import { ErrorSummary } from "../../../../forms/error-summary.tsx";
import { CodeField, Field, Username } from "../../../../forms/field.tsx";
import { FlashMessage } from "../../../../forms/flash-message.tsx";
import { IntentForm, Submit } from "../../../../forms/intent-form.tsx";
import { href } from "../../../../frame/paths.ts";
import type { AccountRow } from "../view.ts";
import { type AccountAnswer, type AccountRefusal, CONTENT_ID } from "./account-answer.ts";
import type { AccountProps, AccountScreen } from "./account-screen.ts";
import { DetailsRow } from "./details-form.tsx";
import { Devices } from "./devices.tsx";
import { flashMessages } from "./flash-messages.ts";
import { Cancelling, Membership } from "./membership.tsx";
import { PASSKEYS_TITLE, PasskeysRow, ProveByPasskey } from "./passkeys.tsx";
import { Password } from "./password.tsx";
import { Row, useRows } from "./row.tsx";
import { WhereYouStopped } from "./where-you-stopped.tsx";
import styles from "./account.module.css";

export function AccountContent({ account, answer, avatar }: AccountProps) {
  const { profile, devices, unsent, capabilities, contactEmail } = account;
  const isTyped = hasTyped(account);
  const toRowProps = useRowProps(account, answer);
  return (
    <div id={CONTENT_ID}>
      {unsent && !answer && (
        <p className={styles.note}>
          {`You were logged out. ${isTyped ? "Here is what you typed." : "Please type it again."}`}
        </p>
      )}
      <Membership account={account} avatar={avatar} />
      <Row {...toRowProps("open", "Your details")}>
        {profile.pendingEmail !== undefined && <PendingEmail account={account} answer={answer} />}
        <DetailsRow account={account} answer={answer} avatar={avatar} />
      </Row>
      {/* "Cancel" is the name of the details' own link, by which programs know it. */}
      <Cancelling account={account} answer={answer} row={toRowProps("cancel", "Get my money back")} />
      <Row {...toRowProps("password", "Change password")}>
        <Password account={account} answer={answer} />
      </Row>
      <PasskeysRow account={account} answer={answer} row={toRowProps("passkeys", PASSKEYS_TITLE)} />
      <Row {...toRowProps("devices", "Devices")}>
        <Devices devices={devices} closePath={account.closePath} answer={answer} />
      </Row>
      <Row {...toRowProps("stopped", "Your progress")}>
        <WhereYouStopped isRemembering={account.isRemembering} answer={answer} />
      </Row>
      {account.newsletter && (
        <Row {...toRowProps("newsletter", "New this month")}>
          <NewsletterSwitch
            state={account.newsletter}
            email={profile.email}
            answer={answer}
            anchor="account-newsletter"
          />
        </Row>
      )}
      {account.gifts.length > 0 && (
        <Row {...toRowProps("gifts", "Gifts you gave")}>
          <GivenGifts gifts={account.gifts} />
        </Row>
      )}
      <Row {...toRowProps("data", "Your data")}>
        <YourData holdsAll={capabilities.holdsAll} contactEmail={contactEmail} />
      </Row>
      {/* "Close" is the name of the link that closes My Account. */}
      <Row {...toRowProps("close", "Delete account")}>
        {capabilities.canClose ? (
          <CloseAccount account={account} answer={answer} />
        ) : (
          <CloseByEmail contactEmail={contactEmail} />
        )}
      </Row>
    </div>
  );
}

function useRowProps(account: AccountScreen, answer: AccountAnswer | undefined) {
  const { flash, message } = toMessage(account, answer);
  const toRow = useRows(account, [
    account.row,
    ...(flash ? [flash.row] : []),
    ...(answer && "form" in answer ? [formRows[answer.form]] : []),
    ...(hasTyped(account) ? ["open" as const] : []),
  ]);
  return (row: AccountRow, title: string) => ({
    ...toRow(row),
    title,
    message: flash?.row === row && message,
  });
}

const hasTyped = ({ unsent }: AccountScreen) => unsent !== undefined && Object.keys(unsent).length > 0;

function toMessage(account: AccountScreen, answer: AccountAnswer | undefined) {
  const answered = answer && "flash" in answer ? answer.flash : undefined;
  const key = answer ? answered : account.flash;
  const isWaiting = key === "saved" && account.profile.pendingEmail !== undefined;
  const flash = key && flashMessages[isWaiting ? "saved-email-waits" : key];
  return { flash, message: flash && <FlashMessage sentence={flash.sentence} cause={answered && answer} /> };
}

/** The row of each form, and its refusal. */
const formRows: Record<AccountRefusal["form"], AccountRow> = {
  profile: "open",
  "email-code": "open",
  "email-resend": "open",
  cancel: "cancel",
  password: "password",
  "passkey-add": "passkeys",
  "passkey-proof": "passkeys",
  devices: "devices",
  "positions-switch": "stopped",
  newsletter: "newsletter",
  close: "close",
};

type AnswerProps = { answer: AccountAnswer | undefined };

function PendingEmail({ account: { profile, pendingUntil }, answer }: AnswerProps & Pick<AccountProps, "account">) {
  const [form, { emailCode }] = useCheckedForm<{ emailCode: string }>({
    id: "email-code",
    answer,
    shows: ["email-resend"],
  });
  const cancel = (
    <IntentForm intent="email-cancel" anchor="account-open" replace>
      <Submit intent="email-cancel" label="Cancel this change" pending="Cancelling..." look="plain" />
    </IntentForm>
  );
  if (pendingUntil) {
    return (
      <section className={styles.pending} aria-label="Waiting for the day">
        <p>
          You've confirmed <strong>{profile.pendingEmail}</strong>. Because our support team made this change, you can
          log in with it from {pendingUntil}. Until then, log in with <strong>{profile.email}</strong>.
        </p>
        <div className={styles.ways}>{cancel}</div>
      </section>
    );
  }
  return (
    <section className={styles.pending} aria-label="Waiting for a code">
      <p>
        Check your inbox at <strong>{profile.pendingEmail}</strong> to finish. Until then, log in with{" "}
        <strong>{profile.email}</strong>.
      </p>
      <ErrorSummary form={form} fields={[emailCode]} />
      <IntentForm intent="email-code" form={form} anchor="account-open" className={styles.form} replace>
        <CodeField label="Validation code" field={emailCode} />
        <Submit intent="email-code" label="Check code" pending="Checking..." look="quiet" />
      </IntentForm>
      <div className={styles.ways}>
        <IntentForm intent="email-resend" anchor="account-open" replace>
          <Submit intent="email-resend" label="Send a new code" pending="Sending..." look="plain" />
        </IntentForm>
        {cancel}
      </div>
    </section>
  );
}

function GivenGifts({ gifts }: Pick<AccountScreen, "gifts">) {
  return (
    <>
      <ul className={styles.list}>
        {gifts.map(({ path, title, state }) => (
          <li key={path}>
            <a href={href(path)}>{title}</a> <span className={styles.quiet}>{state}</span>
          </li>
        ))}
      </ul>
      <p>
        <a className={buttons.quiet} href={href("/give")}>
          Give another
        </a>
      </p>
    </>
  );
}

function YourData({ holdsAll, contactEmail }: { holdsAll: boolean; contactEmail: string }) {
  return (
    <>
      {holdsAll ? (
        <p>A copy of everything we hold about you, as a file (JSON).</p>
      ) : (
        <p>
          A copy of what this site holds about you, as a file (JSON). For the rest, such as your payments, write to{" "}
          <a href={`mailto:${contactEmail}`}>{contactEmail}</a>.
        </p>
      )}
      <p>
        <a className={buttons.quiet} href={href("/account-data")}>
          Download my data
        </a>
      </p>
      <p>
        Saved pages stay on this device and are removed when you log out. <a href={href("/kept")}>See saved pages</a>
      </p>
    </>
  );
}

function CloseByEmail({ contactEmail }: { contactEmail: string }) {
  return (
    <p>
      Write to <a href={`mailto:${contactEmail}`}>{contactEmail}</a> from your account's email address and we'll close
      it for you.
    </p>
  );
}

function CloseAccount({ account, answer }: AnswerProps & Pick<AccountProps, "account">) {
  const { isPasswordOff, passkeys, profile } = account;
  const isProved = isPasswordOff && passkeys?.isFresh === true;
  const [form, { closingPassword }] = useCheckedForm<{ closingPassword: string }>({ id: "close", answer });
  return (
    <>
      <p>
        We sign you out everywhere now. After 14 days we erase your account: your details, picture, favourites and
        progress. Until then, the link in our email opens it again.
      </p>
      <p>
        You lose the rest of your membership. By law we keep a record of your payments for 6 years, without your name.
      </p>
      <ErrorSummary form={form} fields={[closingPassword]} />
      {isPasswordOff && !isProved ? (
        <ProveByPasskey row="close" why="To close your account, confirm that it's you with a passkey." />
      ) : (
        <IntentForm intent="close" form={form} anchor="account-close" className={styles.form} replace>
          {!isProved && (
            <>
              <Username email={profile.email} />
              <Field field={closingPassword} label="Your password" type="password" autoComplete="current-password" />
            </>
          )}
          <Submit intent="close" label="Close my account" pending="Closing..." look="quiet" />
        </IntentForm>
      )}
    </>
  );
}
