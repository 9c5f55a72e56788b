import { Link, useSubmit } from "react-router";

import buttons from "../../../../components/button.module.css";
import { useCheckedForm } from "../../../../forms/checked-form.ts";
import { ErrorBox, ErrorSummary } from "../../../../forms/error-summary.tsx";
import { Field, Username } from "../../../../forms/field.tsx";
import { IntentForm, Submit } from "../../../../forms/intent-form.tsx";
import { SwitchForm } from "../../../../forms/switch-form.tsx";
import { makePasskey, signByPasskey, useCanUsePasskeys, usePasskeyButton } from "../../../../forms/passkeys.ts";
import { resetPath } from "../../../door/login/paths.ts";
import type { AccountAnswer } from "./account-answer.ts";
import type { AccountProps, AccountScreen } from "./account-screen.ts";
import { Row, type RowProps } from "./row.tsx";
import styles from "./account.module.css";

type PasskeysProps = {
  passkeys: NonNullable<AccountScreen["passkeys"]>;
  isPasswordOff: boolean;
  email: string;
  answer: AccountAnswer | undefined;
};

export const PASSKEYS_TITLE = "Log in with your face, finger or screen lock";

type PasskeysRowProps = Pick<AccountProps, "account" | "answer"> & { row: Omit<RowProps, "children"> };

/** Only where a passkey can be made, there is one to remove, or a password to turn on. */
export function PasskeysRow({ account: { passkeys, isPasswordOff, profile }, answer, row }: PasskeysRowProps) {
  const canUse = useCanUsePasskeys();
  if (!passkeys) return null;
  const isEmpty = passkeys.shown.length === 0 && !isPasswordOff;
  if (isEmpty && canUse === false) return null;
  return (
    <div className={isEmpty ? "with-script" : undefined}>
      <Row {...row}>
        <Passkeys passkeys={passkeys} isPasswordOff={isPasswordOff} email={profile.email} answer={answer} />
      </Row>
    </div>
  );
}

/** Without a password one passkey may be lost: two stay. */
const LEAST_PASSKEYS = 2;

function toIntroduction(count: number, mustStay: boolean): string {
  if (count === 0) return "Add a passkey, and this device logs you in without a password.";
  const login = "These log you in without your password.";
  return mustStay ? `${login} To remove one while your password is off, add another first.` : login;
}

function Passkeys({ passkeys: { shown, isFresh }, isPasswordOff, email, answer }: PasskeysProps) {
  const mustStay = isPasswordOff && shown.length <= LEAST_PASSKEYS;
  // Without a password its form, which would show a refused passkey, is not there.
  const shows = isPasswordOff ? ["passkey-proof"] : [];
  const [form] = useCheckedForm({ id: "passkey-add", answer, shows });
  return (
    <>
      <p>{toIntroduction(shown.length, mustStay)}</p>
      <ErrorSummary form={form} />
      {shown.length > 0 && (
        <ul className={styles.passkeys}>
          {shown.map((passkey) => (
            <li key={passkey.id}>
              <span>
                <span>{passkey.name}</span>
                <span className={styles.quiet}>{` (${passkey.lastUsed})`}</span>
              </span>
              {isFresh && !mustStay && <Remove {...passkey} />}
            </li>
          ))}
        </ul>
      )}
      {isFresh ? (
        <Add />
      ) : isPasswordOff ? (
        <ProveByPasskey row="passkeys" why="To change how you log in, confirm that it's you." />
      ) : (
        <Prove hasPasskeys={shown.length > 0} email={email} answer={answer} />
      )}
      {(isPasswordOff || shown.length >= LEAST_PASSKEYS) && (
        <PasswordSwitch isOn={!isPasswordOff} isFresh={isFresh} answer={answer} />
      )}
    </>
  );
}

type PasswordSwitchProps = { isOn: boolean; isFresh: boolean; answer: AccountAnswer | undefined };

function PasswordSwitch({ isOn, isFresh, answer }: PasswordSwitchProps) {
  const sentence = isOn
    ? "You can turn your password off, and log in by a passkey or an emailed link alone."
    : "Your password is off. Log in by a passkey or an emailed link.";
  if (!isFresh) return <p>{sentence}</p>;
  return (
    <SwitchForm
      intent="passkey-password"
      anchor="account-passkeys"
      isOn={isOn}
      label={isOn ? "Turn password off" : "Turn password on"}
      pending={isOn ? "Turning off..." : "Turning on..."}
      answer={answer}
    >
      {sentence}
    </SwitchForm>
  );
}

function Remove({ id, name }: { id: string; name: string }) {
  return (
    <IntentForm intent="passkey-remove" anchor="account-passkeys" className={styles.ways} replace>
      <input type="hidden" name="passkey" value={id} />
      <label className={styles.choice}>
        <input type="checkbox" name="endsSessions" value="yes" />
        <span>
          Sign out where it was used <span className="visually-hidden">({name})</span>
        </span>
      </label>
      <Submit
        intent="passkey-remove"
        label={
          <>
            Remove <span className="visually-hidden">{name}</span>
          </>
        }
        pending="Removing..."
        look="plain"
      />
    </IntentForm>
  );
}

function Add() {
  const add = useDevice({ intent: "passkey-add" }, makePasskey);
  return <DeviceButton {...add} label="Add a passkey" />;
}

type ProveProps = Pick<PasskeysProps, "email" | "answer"> & { hasPasskeys: boolean };

function Prove({ hasPasskeys, email, answer }: ProveProps) {
  const [form, { passkeyPassword }] = useCheckedForm<{ passkeyPassword: string }>({ id: "passkey-proof", answer });
  return (
    <>
      <ErrorSummary form={form} fields={[passkeyPassword]} />
      <IntentForm intent="passkey-proof" form={form} anchor="account-passkeys" className={styles.form} replace>
        <Username email={email} />
        <Field
          field={passkeyPassword}
          label="Your password"
          type="password"
          autoComplete="current-password"
          hint={hasPasskeys ? "To change how you log in." : "To add one."}
        />
        <Submit intent="passkey-proof" label="Continue" pending="Checking..." look="quiet" />
      </IntentForm>
      {hasPasskeys && <UsePasskey row="passkeys" label="Use a passkey instead" />}
    </>
  );
}

/** `row`: the one that asks who the member is. */
type ProvedRow = "passkeys" | "open" | "close";

function UsePasskey({ row, label }: { row: ProvedRow; label: string }) {
  const prove = useDevice({ intent: "passkey-use", row }, () => signByPasskey("begin-proof"));
  return <DeviceButton {...prove} label={label} />;
}

/** In place of the password, while that is off. Without script a reset turns it on. */
export function ProveByPasskey({ row, why }: { row: ProvedRow; why: string }) {
  return (
    <>
      <p>{why}</p>
      <UsePasskey row={row} label="Use a passkey" />
      <p className={styles.quiet}>
        No passkey to hand? <Link to={resetPath(1)}>Choose a new password</Link>
      </p>
    </>
  );
}

type DeviceForm = { intent: string; row?: ProvedRow };

function useDevice(form: DeviceForm, ask: () => Promise<string>) {
  const submit = useSubmit();
  return usePasskeyButton(form.intent, ask, (response) => {
    void submit({ ...form, response }, { method: "post", replace: true, preventScrollReset: true });
  });
}

type DeviceButtonProps = ReturnType<typeof useDevice> & { label: string };

function DeviceButton({ isBusy, problem, press, label }: DeviceButtonProps) {
  const canUse = useCanUsePasskeys();
  if (canUse === false) return null;
  return (
    <div className={`${styles.form} with-script`} inert={!canUse}>
      {problem && <ErrorBox>{problem}</ErrorBox>}
      <p>
        <button type="button" className={buttons.quiet} aria-disabled={isBusy} onClick={() => void press()}>
          {isBusy ? "Waiting for your device..." : label}
        </button>
      </p>
    </div>
  );
}
