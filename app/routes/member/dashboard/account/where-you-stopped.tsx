import { useState } from "react";

import { IntentForm, Submit } from "../../../../forms/intent-form.tsx";
import { SwitchForm } from "../../../../forms/switch-form.tsx";
import type { AccountAnswer } from "./account-answer.ts";
import type { AccountScreen } from "./account-screen.ts";

type WhereYouStoppedProps = { answer: AccountAnswer | undefined } & Pick<AccountScreen, "isRemembering">;

/** The switch for positions, and what is stored: buttons alone, which need no confirmation. */
export function WhereYouStopped({ isRemembering, answer }: WhereYouStoppedProps) {
  const undo = useUndo(answer);
  const props = { anchor: "account-stopped", replace: true };
  return (
    <>
      {undo !== undefined && (
        <IntentForm intent="positions-restore" {...props}>
          <input type="hidden" name="undo" value={undo} />
          <Submit intent="positions-restore" label="Undo" pending="Undoing..." look="quiet" />
        </IntentForm>
      )}
      <SwitchForm
        intent="positions-switch"
        anchor={props.anchor}
        isOn={isRemembering}
        label={isRemembering ? "Turn off and clear" : "Save my progress"}
        pending={isRemembering ? "Clearing..." : "Turning on..."}
        answer={answer}
      >
        {isRemembering
          ? "We save your place so you can pick up on any device, and which articles you've opened (the last 200)."
          : "We don't save your place or what you open."}
      </SwitchForm>
      {isRemembering && (
        <IntentForm intent="positions-forget" {...props}>
          <Submit intent="positions-forget" label="Clear all" pending="Clearing..." look="plain" />
        </IntentForm>
      )}
    </>
  );
}

/** Restores what was just forgotten; stays while that is refused or gets no answer. */
function useUndo(answer: AccountAnswer | undefined): string | undefined {
  const given = answer && "undo" in answer ? answer.undo : undefined;
  const isRefused = answer !== undefined && "form" in answer;
  const [undo, setUndo] = useState(given);
  if (undo !== given && (given !== undefined || !isRefused)) setUndo(given);
  return undo;
}
