import { getFormProps, useForm } from "@conform-to/react";
import type { ReactNode } from "react";
import { Link } from "react-router";

import { lastResultOf } from "../../../forms/answer.ts";
import { ErrorSummary } from "../../../forms/error-summary.tsx";
import { FlashMessage } from "../../../forms/flash-message.tsx";
import { IntentForm, Submit } from "../../../forms/intent-form.tsx";
import { href } from "../../../paths.ts";
import { resetPath } from "../../login/paths.ts";
import { type AccountAnswer, CONTENT_ID, refusalOf } from "./account-answer.ts";
import { flashMessages } from "./flash-messages.ts";
import { ChangePassword, CloseAccount, PendingEmail } from "./account-forms.tsx";
import type { AccountPart } from "./account-path.ts";
import type { AccountProps, Device, MembershipView } from "./account-screen.ts";
import { DetailsPart } from "./details-form.tsx";
import buttons from "../../../ui/button.module.css";
import styles from "./account.module.css";

/** What a member sees and changes of themselves. */
export function AccountContent({ account, answer, avatar }: AccountProps) {
  const { profile, membership, devices, unsent, capabilities, contactEmail } = account;
  const answered = answer && "flash" in answer ? answer.flash : undefined;
  // A form that was just refused has the word; what led to this page is history then.
  const key = answer ? answered : account.flash;
  const said = key && flashMessages[key];
  const news = said && <FlashMessage sentence={said.sentence} cause={answered && answer} />;
  const isOpen = (part: typeof account.part) => account.part === part || said?.part === part;
  return (
    <>
      {said?.part === "open" && news}
      {unsent && !answer && <p className={styles.notice}>{sayUnsent(unsent)}</p>}
      {profile.pendingEmail !== undefined && <PendingEmail profile={profile} answer={answer} />}
      <DetailsPart account={account} answer={answer} avatar={avatar} />
      <div id={CONTENT_ID} className={styles.parts}>
        <Part part="membership" title="Membership" isOpen={isOpen("membership")}>
          <Membership membership={membership} />
        </Part>
        <Part
          part="password"
          title="Change password"
          isOpen={isOpen("password") || refusalOf(answer, "password") !== undefined}
        >
          {said?.part === "password" && news}
          {capabilities.canChangePassword ? <ChangePassword answer={answer} /> : <AskForPassword />}
        </Part>
        <Part part="devices" title="Devices" isOpen={isOpen("devices") || refusalOf(answer, "devices") !== undefined}>
          {said?.part === "devices" && news}
          <Devices devices={devices} answer={answer} />
        </Part>
        <Part part="data" title="Your data" isOpen={isOpen("data")}>
          <YourData holdsAll={capabilities.holdsAll} contactEmail={contactEmail} />
        </Part>
        <Part
          part="close"
          title="Close my account"
          isOpen={isOpen("close") || refusalOf(answer, "close") !== undefined}
        >
          {capabilities.canClose ? <CloseAccount answer={answer} /> : <AskToClose contactEmail={contactEmail} />}
        </Part>
      </div>
    </>
  );
}

function sayUnsent(values: Record<string, string>): string {
  const isKept = Object.keys(values).length > 0;
  return `You had been logged out. ${isKept ? "This is what you had typed." : "Please type it again."}`;
}

type PartProps = { part: AccountPart; title: string; isOpen: boolean; children: ReactNode };

/** A part of My Account that folds up. Its forms lead back to it by the fragment of the address. */
export function Part({ part, title, isOpen, children }: PartProps) {
  return (
    <details id={`account-${part}`} className={styles.part} open={isOpen}>
      <summary>
        <h3>{title}</h3>
      </summary>
      <div className={styles.content}>{children}</div>
    </details>
  );
}

/** What is paid for, until when, and by whom. */
export function Membership({ membership: { plan, ending, company, receipts } }: { membership: MembershipView }) {
  return (
    <>
      {plan && <p className={styles.plan}>{plan}</p>}
      <p>{ending}</p>
      {company && <p>{company} pays for it.</p>}
      {receipts.length > 0 && (
        <ul className={styles.list} aria-label="Receipts">
          {receipts.map(({ number, date, amount }) => (
            <li key={number}>
              <Link to={`/?receipt=${number}`}>Receipt {number}</Link>
              <span className={styles.quiet}>
                {date}, {amount}
              </span>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

/** Where the member is logged in. */
export function Devices({ devices, answer }: { devices: Device[]; answer: AccountAnswer | undefined }) {
  const [form] = useForm({ id: "devices", lastResult: lastResultOf(answer, "devices") });
  return (
    <>
      <ErrorSummary form={form} />
      <ul className={styles.list}>
        {devices.map(({ id, name, lastUsed, isThis }) => (
          <li key={id}>
            <span>
              {name}
              {isThis ? ", this device" : <span className={styles.quiet}>, last used {lastUsed}</span>}
            </span>
            {!isThis && <EndDevice id={id} name={name} />}
          </li>
        ))}
      </ul>
      {devices.some(({ isThis }) => !isThis) && (
        <IntentForm intent="devices" place="account-devices" replace {...getFormProps(form, { ariaAttributes: false })}>
          <Submit intent="devices" label="Sign out everywhere else" pending="Signing out..." look="quiet" />
        </IntentForm>
      )}
    </>
  );
}

function EndDevice({ id, name }: Pick<Device, "id" | "name">) {
  return (
    <IntentForm intent="device" place="account-devices" replace>
      <input type="hidden" name="device" value={id} />
      <Submit
        intent="device"
        label={
          <>
            Sign out <span className="visually-hidden">{name}</span>
          </>
        }
        pending="Signing out..."
        look="plain"
      />
    </IntentForm>
  );
}

/** Everything that is held about a member, to take along. */
export function YourData({ holdsAll, contactEmail }: { holdsAll: boolean; contactEmail: string }) {
  return (
    <>
      {holdsAll ? (
        <p>Everything that we hold about you, as one file that other programs can read (JSON).</p>
      ) : (
        <p>
          What this site holds about you, as one file that other programs can read (JSON). For the rest of your account,
          such as your payments, write to <a href={`mailto:${contactEmail}`}>{contactEmail}</a>.
        </p>
      )}
      <p>
        <a className={buttons.quiet} href={href("/account-data")}>
          Download my data
        </a>
      </p>
    </>
  );
}

/** In place of a form where the account is kept elsewhere: how a member gets there all the same. */

export function AskForPassword() {
  return (
    <>
      <p>We write you a code, and with it you choose a new password. Every device is signed out then.</p>
      <p>
        <Link className={buttons.quiet} to={resetPath(1, undefined)}>
          Get a code
        </Link>
      </p>
    </>
  );
}

export function AskToClose({ contactEmail }: { contactEmail: string }) {
  return (
    <p>
      Write to <a href={`mailto:${contactEmail}`}>{contactEmail}</a> from the email address of your account, and we will
      close it for you.
    </p>
  );
}
