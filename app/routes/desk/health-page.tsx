import type { ReactNode } from "react";
import { Link, useActionData } from "react-router";

import { drawIcon, Icon } from "../../components/icons.tsx";
import { TabLink } from "../../components/links.tsx";
import { FlashMessage } from "../../forms/flash-message.tsx";
import { IntentForm, Submit } from "../../forms/intent-form.tsx";
import { DataTable } from "../../components/data-table.tsx";
import { ActForm, LostRefusal } from "./act-form.tsx";
import type { DeskAnswer } from "./acts.ts";
import { Facts } from "./desk-layout.tsx";
import type { CatalogueScreen, HealthScreen, JobsScreen, ShownFinding } from "./health.ts";
import { deskPath, type ViewName } from "./view.ts";
import desk from "./desk.module.css";
import styles from "./health.module.css";

/** How each part is, and the button that asks them all. */
export function HealthPage({ findings }: HealthScreen) {
  const answer = useActionData<DeskAnswer>();
  const asked = answer && "findings" in answer ? answer : undefined;
  return (
    <>
      <HealthLinks current="health" />
      {asked && <FlashMessage sentence={asked.message} cause={asked} />}
      <LostRefusal act="ask-parts" />
      <DataTable
        caption="What each part says"
        columns={["Part", "State", "What", "Where"]}
        rows={(asked?.findings ?? findings).map((finding, index) => ({
          key: `${finding.part} ${index}`,
          cells: [finding.part, <State key="state" state={finding.state} />, finding.says, toLink(finding)],
        }))}
        whenEmpty="There is nothing to say."
      />
      <IntentForm intent="ask-parts" className={desk.form} replace preventScrollReset>
        <p className={desk.note}>
          The list says what is known here. The button asks the database, the content source, the payment providers and
          the mail server as well, which may take half a minute and changes nothing.
        </p>
        <Submit intent="ask-parts" label="Ask every part now" pending="Asking every part..." look="quiet" />
      </IntentForm>
    </>
  );
}

function toLink({ listPath, part }: ShownFinding): ReactNode {
  if (listPath === undefined) return undefined;
  return (
    <Link to={listPath}>
      See the list<span className="visually-hidden"> of {part}</span>
    </Link>
  );
}

const words = { ok: "OK", note: "Note", wrong: "Wrong" };

/** A state as icon and word, never by colour alone. */
function State({ state }: { state: ShownFinding["state"] }) {
  const look = { ok: styles.ok, note: "", wrong: styles.wrong }[state];
  return (
    <span className={`${styles.state} ${look}`.trim()}>
      {state === "ok" ? <Icon name="check" /> : drawIcon(state === "wrong" ? triangle : letterI)}
      {words[state]}
    </span>
  );
}

const triangle = <path d="M12 4L2.8 20h18.4zM12 10v4.5M12 17.2v.2" />;
const letterI = (
  <>
    <circle cx="12" cy="12" r="9" />
    <path d="M12 11v5.5M12 7.6v.2" />
  </>
);

const screens: [ViewName, string][] = [
  ["health", "Overview"],
  ["emails", "Emails"],
  ["webhooks", "Webhook events"],
  ["jobs", "Jobs"],
  ["catalogue", "Catalogue"],
  ["figures", "Figures"],
];

/** The way between the screens about health. */
export function HealthLinks({ current }: { current: ViewName }) {
  return (
    <nav aria-label="Health" className={styles.links}>
      {screens.map(([view, label]) => (
        <TabLink key={view} to={deskPath(view)} aria-current={view === current ? "page" : undefined}>
          {label}
        </TabLink>
      ))}
    </nav>
  );
}

/** The jobs, with when each was begun last and how long it took. */
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

/** What the catalogue holds, and what was left out of it and why. */
export function CataloguePage(screen: CatalogueScreen) {
  const { source, counts, readAt, isStale, fault, skipped, skippedCount, losses, lossesCount } = screen;
  return (
    <>
      <HealthLinks current="catalogue" />
      <Facts
        facts={[
          ["From", source],
          ...counts.map(({ label, count }): [string, number] => [label, count]),
          ["Read", readAt ? `${readAt}${isStale ? ", which is long ago" : ""}` : "never yet"],
          ["Last fault", fault],
        ]}
      />
      <ActForm act="catalogue refresh" />
      <section className={desk.section}>
        <h2>Left out</h2>
        <DataTable
          caption="Items that were left out"
          columns={["Item", "Why"]}
          rows={skipped.map(({ id, reason }, index) => ({ key: `${index} ${id}`, cells: [id, reason] }))}
          whenEmpty="Nothing was left out."
        />
        <More shown={skipped.length} of={skippedCount} />
      </section>
      <section className={desk.section}>
        <h2>Shown in part</h2>
        <DataTable
          caption="Items that lost something"
          columns={["Item", "Title", "What could not be brought in"]}
          rows={losses.map(({ key, item, title, parts }) => ({ key, cells: [item, title, parts.join("; ")] }))}
          whenEmpty="Every item is shown whole."
        />
        <More shown={losses.length} of={lossesCount} />
      </section>
    </>
  );
}

function More({ shown, of }: { shown: number; of: number }) {
  if (of <= shown) return null;
  return <p className={desk.note}>{`There are ${of - shown} more: the command “catalogue status” lists them all.`}</p>;
}
