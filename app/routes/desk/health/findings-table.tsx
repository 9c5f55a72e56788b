import type { ReactNode } from "react";
import { Link } from "react-router";

import { drawIcon, Icon } from "../../../components/icons.tsx";
import { DataTable } from "../parts/data-table.tsx";
import type { ShownFinding } from "./shown-finding.server.ts";
import styles from "./health.module.css";

type FindingsTableProps = { caption: string; findings: ShownFinding[]; whenEmpty: string };

export function FindingsTable({ caption, findings, whenEmpty }: FindingsTableProps) {
  return (
    <DataTable
      caption={caption}
      columns={[{ label: "Part", isWhole: true }, "State", "What", { label: "Where", isWhole: true }]}
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
      See the list<span className="visually-hidden">{` of ${part}`}</span>
    </Link>
  );
}

const words = { ok: "OK", note: "Note", wrong: "Wrong" };

/** Icon and word, never colour alone. */
export function State({ state }: { state: ShownFinding["state"] }) {
  const look = { ok: styles.ok, note: "", wrong: styles.wrong }[state];
  return (
    <span className={`${styles.state} ${look}`.trim()}>
      {state === "ok" ? <Icon name="check" /> : drawIcon(state === "wrong" ? triangle : infoMark)}
      <span>{words[state]}</span>
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
