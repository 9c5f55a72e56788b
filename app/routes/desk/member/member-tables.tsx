import { Fragment } from "react";

import { keepWhole } from "../parts/data-table.tsx";
import { TableSection } from "../desk-page.tsx";
import type { toChallenge, toEmail } from "./member-texts.ts";
import { Pill } from "../parts/pill.tsx";

export function Emails({ emails }: { emails: ReturnType<typeof toEmail>[] }) {
  return (
    <TableSection
      id="emails"
      title="Emails of the last ninety days"
      columns={["Email", "To", { label: "Written", isWhole: true }, "Outcome"]}
      rows={emails.map(({ id, what, to, at, state }) => ({
        key: id,
        cells: [
          what,
          to,
          at,
          <Fragment key="state">
            <Pill text={state.text} tone={state.tone} /> <span>{keepWhole(state.more)}</span>
          </Fragment>,
        ],
      }))}
      whenEmpty="None."
    />
  );
}

export function Challenges({ challenges }: { challenges: ReturnType<typeof toChallenge>[] }) {
  return (
    <TableSection
      id="challenges"
      title="Codes and links not used yet"
      columns={["What for", "Since", "Until", { label: "Wrong codes", isNumber: true }]}
      rows={challenges.map(({ what, since, until, wrongCodes }, index) => ({
        key: index,
        cells: [what, since, until, wrongCodes],
      }))}
      whenEmpty="None."
    />
  );
}
