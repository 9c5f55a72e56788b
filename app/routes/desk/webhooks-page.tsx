import { DataTable } from "../../components/data-table.tsx";
import { ActForm, LostRefusal } from "./act-form.tsx";
import { HealthLinks } from "./health-page.tsx";
import type { WebhooksScreen } from "./webhooks.ts";
import desk from "./desk.module.css";
import styles from "./health.module.css";

export function WebhooksPage({ title, webhooks, hasMore }: WebhooksScreen) {
  return (
    <>
      <HealthLinks current="webhooks" />
      <p className={desk.note}>
        A webhook event that cannot be handled is tried again for five days, less and less often. Numbers are the
        payment provider&rsquo;s.
      </p>
      <LostRefusal act="webhook retry" items={webhooks.map(({ item }) => item)} />
      <DataTable
        caption={title}
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
              <ActForm act="webhook retry" item={item} words={{ id }} />
            </div>,
          ],
        }))}
        whenEmpty="No webhook event has failed."
      />
      {hasMore && <p className={desk.note}>There are more: these are the latest.</p>}
    </>
  );
}
