import { describeActs } from "../../../../server/operations/acts/acts.ts";
import { formatDateTime } from "../../../../server/platform/format.ts";
import { doerText, formatDuration, formatPace } from "../../../../server/platform/jobs/labels.ts";
import { DataTable } from "../parts/data-table.tsx";
import { requireServices } from "../../../frame/middleware/guards.ts";
import type { Route } from "./+types/jobs.ts";
import { ActForm, LostRefusal } from "../act-form.tsx";
import { runDeskAct } from "../acts.server.ts";
import { DeskPage } from "../desk-page.tsx";
import { State } from "../health/findings-table.tsx";
import type { ScreenHandle } from "../navigation.ts";
import { requireOperator } from "../operator.ts";
import styles from "../screen.module.css";

export const handle: ScreenHandle = { tab: "Health", link: "Jobs", order: 53, key: "j" };

export { readRetryAfter as headers } from "../../../forms/answer.ts";

export async function loader({ context }: Route.LoaderArgs) {
  const { operator } = requireOperator(context);
  const { jobs } = requireServices(context);
  const all = await jobs.list();
  return {
    acts: describeActs(operator.role, ["job run"]),
    jobs: all.map(({ name, everyInMs, isShared, lastRunAt, lastRun, lastFailure }) => ({
      name,
      pace: formatPace(everyInMs),
      doer: doerText(isShared),
      begunAt: lastRunAt && formatDateTime(lastRunAt),
      run: lastRun && `${lastRun.result} in ${formatDuration(lastRun.tookInMs)}`,
      hasFailed: lastRun?.result === "failed",
      failure: lastFailure && `${formatDateTime(lastFailure.at)}: ${lastFailure.error}`,
    })),
  };
}

export const action = (args: Route.ActionArgs) => runDeskAct(args, {});

export default function Jobs({ loaderData: { jobs, acts } }: Route.ComponentProps) {
  return (
    <DeskPage title="Jobs">
      <p className={styles.note}>
        What the servers do automatically. “One for all” means that one server does it for all of them.
      </p>
      <LostRefusal act="job run" items={jobs.map(({ name }) => name)} />
      <DataTable
        caption="Jobs"
        columns={["Job", "Every", "Done by", "Last started", "Last run", "Last failure", "Acts"]}
        rows={jobs.map(({ name, pace, doer, begunAt, run, hasFailed, failure }) => ({
          key: name,
          cells: [
            name,
            pace,
            doer,
            begunAt,
            hasFailed ? (
              <span key="run">
                <State state="wrong" /> <span>{run}</span>
              </span>
            ) : (
              run
            ),
            failure,
            <ActForm key="act" look="small" act={acts["job run"]} item={name} />,
          ],
        }))}
        whenEmpty="There are no jobs."
      />
    </DeskPage>
  );
}
