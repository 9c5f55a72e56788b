import type { ReactNode } from "react";
import { href, Link } from "react-router";

import { type Finding, findingText } from "../../../server/desk/health.ts";
import { drawIcon, Icon } from "../../components/icons.tsx";
import { withSearch } from "../../paths.ts";
import { DataTable } from "./data-table.tsx";
import styles from "./health.module.css";

/** A finding as the desk shows it; `listPath` leads to the list of what it counts. */
export type ShownFinding = { part: string; state: Finding["state"]; message: string; listPath: string | undefined };

export function toShownFinding(finding: Finding): ShownFinding {
  const { part, state } = finding;
  return { part, state, message: findingText(finding, "desk"), listPath: listPathFor(part) };
}

/** The list of what the findings of a part count. */
export function listPathFor(part: string): string | undefined {
  const paths: Record<string, string> = {
    catalogue: href("/desk/catalogue"),
    content: href("/desk/catalogue"),
    jobs: href("/desk/jobs"),
    emails: href("/desk/emails"),
    mail: withSearch(href("/desk/emails"), { state: "waiting" }),
    "webhook events": href("/desk/webhooks"),
  };
  return paths[part];
}

type FindingsTableProps = { caption: string; findings: ShownFinding[]; whenEmpty: string };

/** The findings about each part. */
export function FindingsTable({ caption, findings, whenEmpty }: FindingsTableProps) {
  return (
    <DataTable
      caption={caption}
      columns={["Part", "State", "What", "Where"]}
      rows={findings.map((finding, index) => ({
        key: `${finding.part} ${index}`,
        cells: [finding.part, <State key="state" state={finding.state} />, finding.message, toLink(finding)],
      }))}
      whenEmpty={whenEmpty}
    />
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
export function State({ state }: { state: ShownFinding["state"] }) {
  const look = { ok: styles.ok, note: "", wrong: styles.wrong }[state];
  return (
    <span className={`${styles.state} ${look}`.trim()}>
      {state === "ok" ? <Icon name="check" /> : drawIcon(state === "wrong" ? triangle : infoMark)}
      {words[state]}
    </span>
  );
}

const triangle = <path d="M12 4L2.8 20h18.4zM12 10v4.5M12 17.2v.2" />;
const infoMark = (
  <>
    <circle cx="12" cy="12" r="9" />
    <path d="M12 11v5.5M12 7.6v.2" />
  </>
);
