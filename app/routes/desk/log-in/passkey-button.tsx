import { useId, useState } from "react";
import { useHydrated } from "remix-utils/use-hydrated";

import { ErrorBox } from "../../../forms/error-summary.tsx";
import { PlainField, Username } from "../../../forms/field.tsx";
import { formStatusProps } from "../../../forms/intent-form.tsx";
import { readText } from "../../../forms/read-text.ts";
import { href } from "../../../frame/paths.ts";
import buttons from "../../../components/button.module.css";
import { useOperatorEmail } from "../use-desk.ts";
import styles from "./passkey-button.module.css";

/** A press loads the library. */
const works = { "log-in": logIn, add };

/** Shown only where script runs. */
export function LogInByPasskey() {
  const { isReady, isBusy, problem, run } = usePasskey("log-in");
  return (
    <div className={`${styles.logIn} with-script`} inert={!isReady}>
      {problem && <ErrorBox>{problem}</ErrorBox>}
      <button type="button" className={buttons.quiet} aria-disabled={isBusy} onClick={() => void run({})}>
        {isBusy ? "Waiting for your device..." : "Log in with a passkey"}
      </button>
    </div>
  );
}

export function AddPasskey() {
  const { isReady, isBusy, problem, run } = usePasskey("add");
  const id = useId();
  const email = useOperatorEmail();
  return (
    <form
      {...formStatusProps(false)}
      className={`${styles.add} with-script`}
      inert={!isReady}
      onSubmit={(event) => {
        event.preventDefault();
        const typed = new FormData(event.currentTarget);
        void run({ name: readText(typed, "name"), password: readText(typed, "password") });
      }}
    >
      {problem && <ErrorBox>{problem}</ErrorBox>}
      <PlainField label="Name for this device" id={`${id}-name`} name="name" maxLength={60} errors={undefined} />
      <Username email={email} />
      <PlainField
        label="Your password"
        id={`${id}-password`}
        name="password"
        type="password"
        autoComplete="current-password"
        required
        errors={undefined}
      />
      <button className={buttons.quiet} aria-disabled={isBusy}>
        {isBusy ? "Waiting for your device..." : "Add a passkey"}
      </button>
    </form>
  );
}

function usePasskey(work: keyof typeof works) {
  const isHydrated = useHydrated();
  const [isBusy, setIsBusy] = useState(false);
  const [problem, setProblem] = useState<string>();

  async function run(typed: Record<string, string>): Promise<void> {
    if (isBusy) return;
    setIsBusy(true);
    setProblem(undefined);
    try {
      await works[work](typed);
      // A new document, with the new session or the new passkey.
      window.location.reload();
    } catch (error) {
      setProblem(error instanceof Refusal ? error.message : "Your device didn't offer a passkey. Nothing was changed.");
      setIsBusy(false);
    }
  }

  return { isReady: isHydrated && "PublicKeyCredential" in window, isBusy, problem, run };
}

/** With the server's sentence. */
class Refusal extends Error {}

async function logIn(): Promise<void> {
  const { startAuthentication } = await import("@simplewebauthn/browser");
  const { options } = await send({ intent: "begin-log-in" });
  const response = await startAuthentication({ optionsJSON: options });
  await send({ intent: "log-in", response: JSON.stringify(response) });
}

async function add({ name = "", password = "" }: Record<string, string>): Promise<void> {
  const { startRegistration } = await import("@simplewebauthn/browser");
  const { options } = await send({ intent: "begin-adding", password });
  const response = await startRegistration({ optionsJSON: options });
  await send({ intent: "add", name, response: JSON.stringify(response) });
}

/** @throws {Refusal} with the server's sentence. */
async function send(fields: Record<string, string>) {
  const answer = await fetch(href("/desk/passkeys"), { method: "POST", body: new URLSearchParams(fields) });
  const body: unknown = await answer.json().catch(() => ({}));
  if (answer.ok) return body as { options: never };
  throw new Refusal((body as { problem?: string }).problem ?? "That didn't work. Please try again.");
}
