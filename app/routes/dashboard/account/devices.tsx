import { ErrorSummary } from "../../../forms/error-summary.tsx";
import { IntentForm, Submit } from "../../../forms/intent-form.tsx";
import type { Refusal } from "./account-answer.ts";
import type { Device } from "./account-screen.ts";
import styles from "./account.module.css";

/** Where the member is logged in. */
export function Devices({ devices, refusal }: { devices: Device[]; refusal: Refusal | undefined }) {
  return (
    <>
      <ErrorSummary echo={refusal?.echo} />
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
        <IntentForm intent="devices" place="account-devices" data-step={undefined}>
          <Submit intent="devices" label="Sign out everywhere else" pending="Signing out..." look="quiet" />
        </IntentForm>
      )}
    </>
  );
}

function EndDevice({ id, name }: Pick<Device, "id" | "name">) {
  return (
    <IntentForm intent="device" place="account-devices" data-step={undefined}>
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
