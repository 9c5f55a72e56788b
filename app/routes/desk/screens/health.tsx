import { type ActionFunctionArgs, data, redirect, useActionData } from "react-router";

import { askEveryPart, readHealth } from "../../../../server/operations/desk/health.ts";
import { formatDateTime } from "../../../../server/platform/format.ts";
import { FlashMessage } from "../../../forms/flash-message.tsx";
import { IntentForm, Submit } from "../../../forms/intent-form.tsx";
import { runIntent } from "../../../forms/intents.ts";
import { refuseTooMany } from "../../../forms/messages.ts";
import { requireServices } from "../../../frame/middleware/guards.ts";
import { toPath } from "../../../frame/paths.ts";
import type { Route } from "./+types/health.ts";
import { LostRefusal } from "../act-form.tsx";
import type { DeskAnswer } from "../acts.server.ts";
import { DeskPage } from "../desk-page.tsx";
import { FindingsTable } from "../health/findings-table.tsx";
import type { ScreenHandle } from "../navigation.ts";
import { findDeskCaller, requireOperator } from "../operator.ts";
import { toShownFinding } from "../health/shown-finding.server.ts";
import styles from "../screen.module.css";

export const handle: ScreenHandle = { tab: "Health", link: "Overview", order: 50, key: "h" };

export { readRetryAfter as headers } from "../../../forms/answer.ts";

/** Findings that need no request to other servers. */
export async function loader({ context }: Route.LoaderArgs) {
  requireOperator(context);
  return { findings: (await readHealth(requireServices(context))).map(toShownFinding) };
}

export const action = (args: Route.ActionArgs) => runIntent(args, { "ask-parts": askParts });

/** Changes nothing, so it needs no reason. */
async function askParts(_: FormData, { context, url }: ActionFunctionArgs) {
  const services = requireServices(context);
  const caller = findDeskCaller(context);
  if (!caller) return redirect(toPath(url), { status: 303 });
  const wait = await services.operators.countAct(caller.operator.id);
  if (wait) return refuseTooMany("ask-parts", wait);
  const findings = (await askEveryPart(services)).map(toShownFinding);
  const message = `Everything was checked on ${formatDateTime(services.clock())}.`;
  return data<DeskAnswer>({ form: "ask-parts", message, findings });
}

export default function Health({ loaderData: { findings } }: Route.ComponentProps) {
  const answer = useActionData<DeskAnswer>();
  const check = answer && "findings" in answer ? answer : undefined;
  return (
    <DeskPage title="Health">
      {check && <FlashMessage sentence={check.message} cause={check} />}
      <LostRefusal act="ask-parts" />
      <FindingsTable
        caption="What each part says"
        findings={check?.findings ?? findings}
        whenEmpty="Nothing to report."
      />
      <IntentForm intent="ask-parts" className={styles.form} replace preventScrollReset>
        <p className={styles.note}>
          This is what we know already. The button also checks the database, the content source, the payment providers
          and the mail server. It can take half a minute and changes nothing.
        </p>
        <Submit intent="ask-parts" label="Check everything now" pending="Checking everything..." look="quiet" />
      </IntentForm>
    </DeskPage>
  );
}
