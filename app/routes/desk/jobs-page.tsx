import { DataTable } from "../../components/data-table.tsx";
import { HealthLinks, State } from "./health-page.tsx";
import type { JobsScreen } from "./health.ts";
import desk from "./desk.module.css";

export function JobsPage({ title, jobs }: JobsScreen) {
  return (
    <>
      <HealthLinks current="jobs" />
      <p className={desk.note}>
        What the servers do by themselves. “One for all”: of all servers on one database one does it.
      </p>
      <DataTable
        caption={title}
        columns={["Job", "Every", "Done by", "Last begun", "Last run", "Last failure"]}
        rows={jobs.map(({ name, pace, doer, begunAt, run, hasFailed, failure }) => ({
          key: name,
          cells: [
            name,
            pace,
            doer,
            begunAt,
            hasFailed ? (
              <span key="run">
                <State state="wrong" /> {run}
              </span>
            ) : (
              run
            ),
            failure,
          ],
        }))}
        whenEmpty="There are no jobs."
      />
    </>
  );
}
