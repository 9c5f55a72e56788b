import type { ReactNode } from "react";
import { Link, useActionData } from "react-router";

import { drawIcon, Icon } from "../../components/icons.tsx";
import { TabLink } from "../../components/links.tsx";
import { ErrorBox } from "../../forms/error-summary.tsx";
import { FlashMessage } from "../../forms/flash-message.tsx";
import { IntentForm, Submit } from "../../forms/intent-form.tsx";
import { useFocusOn } from "../../focus.ts";
import type { DeskAnswer } from "./acts.ts";
import { DataTable } from "./data-table.tsx";
import { formNameOf } from "./form-name.ts";
import type { HealthScreen, ShownFinding } from "./health.ts";
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
      <Refused answer={answer?.form === "ask-parts" ? answer : undefined} />
      <DataTable
        caption="What each part says"
        isCaptionHidden
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

/** What is said against a form that has left the screen, because its thing has left the list meanwhile. */
export function LostForm({ act, subjects }: { act: string; subjects: (string | number)[] }) {
  const answer = useActionData<DeskAnswer>();
  const isThere = subjects.some((subject) => answer?.form === formNameOf(act, String(subject)));
  const isLost = answer !== undefined && answer.form.startsWith(`${act} `) && !isThere;
  return <Refused answer={isLost ? answer : undefined} />;
}

/** Every sentence of a refusal whose form is not here to show it. */
function Refused({ answer }: { answer: DeskAnswer | undefined }) {
  const refusal = answer && "result" in answer ? answer.result : undefined;
  const box = useFocusOn<HTMLDivElement>(refusal);
  if (!refusal) return null;
  return (
    <ErrorBox ref={box}>
      {Object.values(refusal.error ?? {})
        .flat()
        .join(" ")}
    </ErrorBox>
  );
}

const words = { ok: "OK", note: "Note", wrong: "Wrong" };

/** A state as icon and word, never by colour alone. */
export function State({ state }: { state: ShownFinding["state"] }) {
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
