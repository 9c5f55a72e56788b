import { useActionData } from "react-router";

import { formatDate } from "../../../../server/platform/format.ts";
import { describeActs } from "../../../../server/operations/acts/acts.ts";
import type { Operator } from "../../../../server/operations/operators/operators.ts";
import { hasRole } from "../../../../server/operations/operators/roles.ts";
import { requireServices } from "../../../frame/middleware/guards.ts";
import type { Route } from "./+types/access.ts";
import { ActForm, LostRefusal } from "../act-form.tsx";
import { type DeskAnswer, runDeskAct } from "../acts.server.ts";
import { DeskPage, Facts, ShownOnce, TableSection } from "../desk-page.tsx";
import type { ScreenHandle } from "../navigation.ts";
import { requireOperator } from "../operator.ts";
import { AddPasskey } from "../log-in/passkey-button.tsx";
import styles from "../screen.module.css";
import health from "../health/health.module.css";

export const handle: ScreenHandle = { tab: "Your access", order: 80, key: "y" };

export { readRetryAfter as headers } from "../../../forms/answer.ts";

const operatorActs = ["operator role", "operator invite", "operator remove"] as const;

export async function loader({ context }: Route.LoaderArgs) {
  const { operator, tokenHash } = requireOperator(context);
  const { operators } = requireServices(context);
  const [passkeys, sessions] = await Promise.all([
    operators.listPasskeys(operator.id),
    operators.listSessions(operator.id, tokenHash),
  ]);
  return {
    email: operator.email,
    role: operator.role,
    acts: describeActs(operator.role, [
      "access passkey-remove",
      "access recovery",
      "access sessions",
      "operator add",
      ...operatorActs,
    ]),
    passkeys: passkeys.map(({ id, name, createdAt, usedAt }) => ({
      id,
      name,
      addedOn: formatDate(createdAt),
      usedOn: usedAt && formatDate(usedAt),
    })),
    operators: hasRole(operator.role, "owner") ? (await operators.list()).map(toOperatorLine) : undefined,
    sessions: sessions.map(({ device, startedAt, isThis }) => ({ device, startedOn: formatDate(startedAt), isThis })),
  };
}

function toOperatorLine({ id, email, name, role, createdAt, isActive }: Operator) {
  return { id, email, name, role, addedOn: formatDate(createdAt), hasBegun: isActive ? "yes" : "not yet" };
}

type AccessData = Route.ComponentProps["loaderData"];

export const action = (args: Route.ActionArgs) => runDeskAct(args, {});

export default function Access({ loaderData }: Route.ComponentProps) {
  const { email, role, acts, passkeys, sessions, operators } = loaderData;
  const answer = useActionData<DeskAnswer>();
  return (
    <DeskPage title="Your access">
      {answer && "shownOnce" in answer && <ShownOnce {...answer} />}
      <Facts
        facts={[
          ["Email", email],
          ["Role", role],
        ]}
      />
      <Passkeys acts={acts} passkeys={passkeys} />
      <RecoveryCodes acts={acts} />
      <Sessions acts={acts} sessions={sessions} />
      {operators && <Operators acts={acts} operators={operators} />}
    </DeskPage>
  );
}

type OperatorsProps = { acts: AccessData["acts"]; operators: NonNullable<AccessData["operators"]> };

function Operators({ acts, operators }: OperatorsProps) {
  return (
    <TableSection
      title="Operators of the desk"
      columns={["Name", "Email", "Role", "Added", "Set up", "Acts"]}
      rows={operators.map(({ id, name, email, role, addedOn, hasBegun }) => ({
        key: id,
        cells: [
          name,
          email,
          role,
          addedOn,
          hasBegun,
          <div key="acts" className={health.acts}>
            <ActForm act={acts["operator role"]} item={id} words={{ name }} values={{ role }} look="small" />
            <ActForm act={acts["operator invite"]} item={id} words={{ name }} look="small" />
            <ActForm act={acts["operator remove"]} item={id} words={{ name }} look="small" />
          </div>,
        ],
      }))}
      whenEmpty="There are no operators."
    >
      {operatorActs.map((act) => (
        <LostRefusal key={act} act={act} items={operators.map(({ id }) => id)} />
      ))}
      <ActForm act={acts["operator add"]} />
    </TableSection>
  );
}

function Passkeys({ acts, passkeys }: Pick<AccessData, "acts" | "passkeys">) {
  return (
    <TableSection
      title="Passkeys"
      columns={["Name", "Added", "Last used"]}
      rows={passkeys.map(({ id, name, addedOn, usedOn }) => ({ key: id, cells: [name, addedOn, usedOn] }))}
      whenEmpty="You have no passkey. With one, you log in with your fingerprint, your face or your device's PIN."
    >
      <AddPasskey />
      {passkeys.map(({ id, name }) => (
        <ActForm key={id} act={acts["access passkey-remove"]} item={id} words={{ name }} />
      ))}
    </TableSection>
  );
}

function RecoveryCodes({ acts }: Pick<AccessData, "acts">) {
  return (
    <section className={styles.section}>
      <h2>Recovery codes</h2>
      <p>If you lose your phone, each of these lets you log in once without your app.</p>
      <ActForm act={acts["access recovery"]} />
    </section>
  );
}

function Sessions({ acts, sessions }: Pick<AccessData, "acts" | "sessions">) {
  return (
    <TableSection
      title="Where you are logged in"
      columns={["Browser", "Since"]}
      rows={sessions.map(({ device, startedOn, isThis }, index) => ({
        key: index,
        cells: [isThis ? `${device}, this one` : device, startedOn],
      }))}
      whenEmpty="Nowhere."
    >
      <ActForm act={acts["access sessions"]} />
    </TableSection>
  );
}
