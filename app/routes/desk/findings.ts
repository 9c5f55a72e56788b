import { href } from "react-router";

import { type Finding, findingText } from "../../../server/desk/health.ts";
import { withSearch } from "../../paths.ts";

/** A finding as the desk shows it; `listPath` leads to the list of what it counts. */
export type ShownFinding = { part: string; state: Finding["state"]; message: string; listPath: string | undefined };

/** The list of what a finding counts, by its part. */
const lists: Record<string, string> = {
  catalogue: href("/desk/catalogue"),
  content: href("/desk/catalogue"),
  jobs: href("/desk/jobs"),
  emails: href("/desk/emails"),
  mail: withSearch(href("/desk/emails"), { state: "waiting" }),
  "webhook events": href("/desk/webhooks"),
};

export function toShownFinding(finding: Finding): ShownFinding {
  const { part, state } = finding;
  return { part, state, message: findingText(finding, "desk"), listPath: lists[part] };
}
