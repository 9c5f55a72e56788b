import { redirect } from "react-router";

import { takeStock } from "../../../../server/desk/health.ts";
import { requireServices } from "../../../middleware/guards.ts";
import { returnPath } from "../../../paths.ts";
import type { Route } from "./+types/_index.ts";
import { DeskPage, MemberSearch } from "../desk-page.tsx";
import { FindingsTable, toShownFinding } from "../health-parts.tsx";
import type { ScreenHandle } from "../navigation.ts";
import { findVisitor } from "../operator.ts";
import styles from "../desk.module.css";

export const handle: ScreenHandle = { tab: "Today", order: 10, key: "t" };

/** The work that waits for an operator. Without a session the layout shows the log-in here. */
export async function loader({ context, url }: Route.LoaderArgs) {
  if (!findVisitor(context)) return { findings: [] };
  const path = returnPath(url);
  if (path !== undefined) throw redirect(path);
  const findings = await takeStock(requireServices(context));
  return { findings: findings.filter(({ state }) => state !== "ok").map(toShownFinding) };
}

export default function Today({ loaderData: { findings } }: Route.ComponentProps) {
  return (
    <DeskPage title="Today">
      <MemberSearch />
      <section className={styles.section}>
        <h2>What to look at</h2>
        <FindingsTable caption="What to look at" findings={findings} whenEmpty="Nothing waits for you." />
      </section>
    </DeskPage>
  );
}
