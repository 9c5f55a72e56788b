import { describeActs } from "../../../../server/operations/acts/acts.ts";
import { formatDateTime } from "../../../../server/platform/format.ts";
import { DataTable } from "../parts/data-table.tsx";
import { requireServices } from "../../../frame/middleware/guards.ts";
import type { Route } from "./+types/webhooks.ts";
import { ActForm, LostRefusal } from "../act-form.tsx";
import { runDeskAct } from "../acts.server.ts";
import { DeskPage } from "../desk-page.tsx";
import type { ScreenHandle } from "../navigation.ts";
import { requireOperator } from "../operator.ts";
import screen from "../screen.module.css";
import styles from "../health/health.module.css";

export const handle: ScreenHandle = { tab: "Health", link: "Webhook events", order: 52 };

export { readRetryAfter as headers } from "../../../forms/answer.ts";

const TITLE = "Webhook events that failed";
const WEBHOOKS = 100;

export async function loader({ context }: Route.LoaderArgs) {
  const { operator } = requireOperator(context);
  const { webhooks, clock } = requireServices(context);
  const failed = await webhooks.listFailed(WEBHOOKS + 1);
  return {
    acts: describeActs(operator.role, ["webhook retry"]),
    hasMore: failed.length > WEBHOOKS,
    webhooks: failed.slice(0, WEBHOOKS).map(({ gateway, id, kind, subject, receivedAt, attempts, nextTryAt }) => ({
      item: `${gateway} ${id}`,
      gateway,
      id,
      kind,
      about: subject,
      receivedAt: formatDateTime(receivedAt),
      attempts,
      nextTry: nextTryAt ? (nextTryAt <= clock() ? "now" : formatDateTime(nextTryAt)) : "none",
    })),
  };
}

export const action = (args: Route.ActionArgs) => runDeskAct(args, {});

export default function WebhookEvents({ loaderData }: Route.ComponentProps) {
  const { webhooks, hasMore, acts } = loaderData;
  return (
    <DeskPage title={TITLE}>
      <p className={screen.note}>
        We try a failed event again for five days, less and less often. The numbers are the payment provider's.
      </p>
      <LostRefusal act="webhook retry" items={webhooks.map(({ item }) => item)} />
      <DataTable
        caption={TITLE}
        columns={[
          "Event",
          "Gateway",
          "Kind",
          "About",
          "Received",
          { label: "Tries", isNumber: true },
          "Next try",
          "Acts",
        ]}
        rows={webhooks.map(({ item, gateway, id, kind, about, receivedAt, attempts, nextTry }) => ({
          key: item,
          cells: [
            <code key="id">{id}</code>,
            gateway,
            kind,
            <code key="about">{about}</code>,
            receivedAt,
            attempts,
            nextTry,
            <div key="acts" className={styles.acts}>
              <ActForm look="small" act={acts["webhook retry"]} item={item} words={{ id }} />
            </div>,
          ],
        }))}
        whenEmpty="No webhook events have failed."
      />
      {hasMore && <p className={screen.note}>These are the latest. There are more.</p>}
    </DeskPage>
  );
}
