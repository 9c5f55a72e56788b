import { Pages } from "../../../../components/pages.tsx";
import { useCheckedForm } from "../../../../forms/checked-form.ts";
import { ErrorSummary } from "../../../../forms/error-summary.tsx";
import { IntentForm, Submit } from "../../../../forms/intent-form.tsx";
import { accountPath } from "../view.ts";
import type { AccountAnswer } from "./account-answer.ts";
import type { AccountScreen } from "./account-screen.ts";
import styles from "./account.module.css";

type DevicesProps = { answer: AccountAnswer | undefined } & Pick<AccountScreen, "devices" | "closePath">;

export function Devices({ devices, closePath, answer }: DevicesProps) {
  const [form] = useCheckedForm({ id: "devices", answer });
  return (
    <>
      <ErrorSummary form={form} />
      <ul className={styles.list}>
        {devices.shown.map(({ id, name, lastUsed, isThis }) => (
          <li key={id}>
            <span>
              <span>{name}</span>
              {isThis ? (
                <span> (this device)</span>
              ) : (
                <span className={styles.quiet}>{` (last used ${lastUsed})`}</span>
              )}
            </span>
            {!isThis && (
              <IntentForm intent="device" anchor="account-devices" replace>
                <input type="hidden" name="device" value={id} />
                <Submit intent="device" label={<SignOutLabel device={name} />} pending="Signing out..." look="plain" />
              </IntentForm>
            )}
          </li>
        ))}
      </ul>
      <Pages {...devices} toPath={(page) => `${accountPath(closePath, "devices")}&devices=${page}`} />
      {devices.hasOthers && (
        <IntentForm intent="devices" form={form} anchor="account-devices" replace>
          <Submit intent="devices" label="Sign out everywhere else" pending="Signing out..." look="quiet" />
        </IntentForm>
      )}
    </>
  );
}

function SignOutLabel({ device }: { device: string }) {
  return (
    <>
      Sign out <span className="visually-hidden">{device}</span>
    </>
  );
}
