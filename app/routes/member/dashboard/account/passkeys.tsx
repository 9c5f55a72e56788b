import { getFormProps } from "@conform-to/react";
import { useState } from "react";
import { useSubmit } from "react-router";
import { useHydrated } from "remix-utils/use-hydrated";

import buttons from "../../../../components/button.module.css";
import { toLastResult } from "../../../../forms/answer.ts";
import { useCheckedForm } from "../../../../forms/checked-form.ts";
import { ErrorBox, ErrorSummary } from "../../../../forms/error-summary.tsx";
import { Field, Username } from "../../../../forms/field.tsx";
import { IntentForm, Submit, useIsPending } from "../../../../forms/intent-form.tsx";
import { canUsePasskeys, makePasskey, problemText, signByPasskey } from "../../../../forms/passkeys.ts";
import type { AccountAnswer } from "./account-answer.ts";
import type { AccountProps, AccountScreen } from "./account-screen.ts";
import { Row, type RowProps } from "./row.tsx";
import styles from "./account.module.css";

type PasskeysProps = {
  passkeys: NonNullable<AccountScreen["passkeys"]>;
  email: string;
  answer: AccountAnswer | undefined;
};

/** `undefined` on the server and until script runs. */
function useCanUsePasskeys(): boolean | undefined {
  return useHydrated() ? canUsePasskeys() : undefined;
}

export const PASSKEYS_TITLE = "Log in with your face, finger or screen lock";

type PasskeysRowProps = Pick<AccountProps, "account" | "answer"> & { row: Omit<RowProps, "children"> };

/** Only where a passkey can be made, or there is one to remove. */
export function PasskeysRow({ account: { passkeys, profile }, answer, row }: PasskeysRowProps) {
  const canUse = useCanUsePasskeys();
  if (!passkeys || (canUse === false && passkeys.shown.length === 0)) return null;
  return (
    <div className={passkeys.shown.length === 0 ? styles.withScript : undefined}>
      <Row {...row}>
        <Passkeys passkeys={passkeys} email={profile.email} answer={answer} />
      </Row>
    </div>
  );
}

function Passkeys({ passkeys: { shown, isFresh }, email, answer }: PasskeysProps) {
  const [form] = useCheckedForm({ id: "passkey-add", lastResult: toLastResult(answer, "passkey-add") });
  return (
    <>
      <p>
        {shown.length === 0
          ? "Add a passkey, and this device logs you in without a password."
          : "These log you in without your password."}
      </p>
      <ErrorSummary form={form} />
      {shown.length > 0 && (
        <ul className={styles.passkeys}>
          {shown.map((passkey) => (
            <li key={passkey.id}>
              <span>
                <span>{passkey.name}</span>
                <span className={styles.quiet}>{` (${passkey.lastUsed})`}</span>
              </span>
              {isFresh && <Remove {...passkey} />}
            </li>
          ))}
        </ul>
      )}
      {isFresh ? <Add /> : <Prove hasPasskeys={shown.length > 0} email={email} answer={answer} />}
    </>
  );
}

function Remove({ id, name }: { id: string; name: string }) {
  return (
    <IntentForm intent="passkey-remove" anchor="account-passkeys" className={styles.form} replace>
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
  const add = useDevice("passkey-add", makePasskey);
  return <DeviceButton {...add} label="Add a passkey" />;
}

type ProveProps = Omit<PasskeysProps, "passkeys"> & { hasPasskeys: boolean };

function Prove({ hasPasskeys, email, answer }: ProveProps) {
  const [form, { passkeyPassword }] = useCheckedForm<{ passkeyPassword: string }>({
    id: "passkey-proof",
    lastResult: toLastResult(answer, "passkey-proof"),
  });
  const prove = useDevice("passkey-use", () => signByPasskey("begin-proof"));
  return (
    <>
      <ErrorSummary form={form} fields={[passkeyPassword]} />
      <IntentForm
        intent="passkey-proof"
        anchor="account-passkeys"
        className={styles.form}
        replace
        {...getFormProps(form, { ariaAttributes: false })}
      >
        <Username email={email} />
        <Field
          field={passkeyPassword}
          label="Your password"
          type="password"
          autoComplete="current-password"
          hint={hasPasskeys ? "To add or remove one." : "To add one."}
        />
        <Submit intent="passkey-proof" label="Continue" pending="Checking..." look="quiet" />
      </IntentForm>
      {hasPasskeys && <DeviceButton {...prove} label="Use a passkey instead" />}
    </>
  );
}

/** Asks the device, and sends its answer as a form of My Account. */
function useDevice(intent: string, ask: () => Promise<string>) {
  const submit = useSubmit();
  const isPending = useIsPending(intent);
  const [isAsking, setIsAsking] = useState(false);
  const [problem, setProblem] = useState<string>();
  const isBusy = isAsking || isPending;
  async function press(): Promise<void> {
    if (isBusy) return;
    setIsAsking(true);
    setProblem(undefined);
    try {
      void submit({ intent, response: await ask() }, { method: "post", replace: true, preventScrollReset: true });
    } catch (error) {
      setProblem(problemText(error));
    }
    setIsAsking(false);
  }
  return { isBusy, problem, press };
}

type DeviceButtonProps = ReturnType<typeof useDevice> & { label: string };

function DeviceButton({ isBusy, problem, press, label }: DeviceButtonProps) {
  if (!useCanUsePasskeys()) return null;
  return (
    <>
      {problem && <ErrorBox>{problem}</ErrorBox>}
      <p>
        <button type="button" className={buttons.quiet} aria-disabled={isBusy} onClick={() => void press()}>
          {isBusy ? "Waiting for your device..." : label}
        </button>
      </p>
    </>
  );
}
