import { useEffect, useEffectEvent, useState } from "react";
import { useSubmit } from "react-router";

import { toLastResult } from "../../../forms/answer.ts";
import { ErrorBox } from "../../../forms/error-summary.tsx";
import {
  offerInEmailField,
  signByPasskey,
  stopOffering,
  useCanUsePasskeys,
  usePasskeyButton,
} from "../../../forms/passkeys.ts";
import buttons from "../../../components/button.module.css";
import type { LogInAnswer } from "./reset.ts";
import styles from "./login.module.css";

/** A challenge works for a quarter of an hour, and a page may stay open for longer. */
const OFFER_AGAIN_MS = 10 * 60_000;

/**
 * Shown where script runs and passkeys work; its space is free until then. Meanwhile the browser offers them in the
 * email field.
 */
export function PasskeyLogIn({ answer }: { answer: LogInAnswer | undefined }) {
  const isReady = useCanUsePasskeys() === true;
  const submit = useSubmit();
  const { isBusy, problem, press } = usePasskeyButton("passkey-log-in", () => signByPasskey("begin-log-in"), enter);
  const [round, setRound] = useState(0);
  const refusal = toLastResult(answer, "passkey-log-in").error?.[""]?.[0];

  const send = useEffectEvent((response: string) => enter(response));
  function enter(response: string): void {
    void submit({ intent: "passkey-log-in", response }, { method: "post", replace: true });
  }

  // Offered again after an answer, or a use that came to nothing.
  useEffect(() => {
    if (!isReady || isBusy) return undefined;
    let isLeft = false;
    const again = setTimeout(() => setRound(round + 1), OFFER_AGAIN_MS);
    offerInEmailField()
      .then((response) => !isLeft && response !== undefined && send(response))
      // Ended by another use, or by the person: the button says what is wrong.
      .catch(() => undefined);
    return () => {
      isLeft = true;
      clearTimeout(again);
      void stopOffering();
    };
  }, [isReady, isBusy, round]);

  return (
    <div className={`${styles.passkey} with-script`} inert={!isReady}>
      {(problem ?? refusal) && <ErrorBox>{problem ?? refusal}</ErrorBox>}
      <button type="button" className={buttons.quiet} aria-disabled={isBusy} onClick={() => void press()}>
        {isBusy ? "Waiting for your device..." : "Use a passkey"}
      </button>
    </div>
  );
}
