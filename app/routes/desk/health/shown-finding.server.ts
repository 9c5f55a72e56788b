import { href } from "react-router";

import { type Finding, findingText } from "../../../../server/operations/desk/health.ts";
import { withSearch } from "../../../frame/paths.ts";

export type ShownFinding = { part: string; state: Finding["state"]; message: string; listPath: string | undefined };

export function toShownFinding(finding: Finding): ShownFinding {
  const { part, state } = finding;
  return { part, state, message: findingText(finding, "desk"), listPath: listPathFor(part) };
}

/** The page that lists what a part's findings count. */
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
