import { href } from "react-router";

import type { ActName } from "../../../../server/operations/acts/acts.ts";
import type { Urgency, Waiting, WaitingSubject } from "../../../../server/operations/desk/waiting.ts";
import { withSearch } from "../../../frame/paths.ts";
import type { ActFormProps } from "../act-form.tsx";
import { giftPath } from "../member/gift-texts.ts";
import { listPathFor } from "./shown-finding.server.ts";

export type ShownWaiting = {
  urgency: Urgency;
  what: string;
  why: string | undefined;
  /** An operator without the right to this act does not see the entry. */
  needs: ActName | undefined;
  form: ActFormProps | undefined;
  link: { path: string; label: string } | undefined;
};

export function toShownWaiting({ urgency, what, why, about }: Waiting): ShownWaiting {
  const { form, link, needs = form?.act } = toAct(about);
  return { urgency, what, why, form, link, needs };
}

function toAct(about: WaitingSubject): Partial<Pick<ShownWaiting, "form" | "link" | "needs">> {
  if ("order" in about) {
    const path =
      about.member === undefined
        ? href("/desk/health")
        : `${href("/desk/members/:id", { id: String(about.member) })}#orders`;
    return { link: { path, label: "See the payments" } };
  }
  if ("gift" in about) {
    return { link: { path: giftPath(about.gift), label: "Look at the gift" } };
  }
  if ("email" in about) {
    return { form: { act: about.isGone ? "mail acknowledge" : "mail resend", item: about.email } };
  }
  if ("webhook" in about) return { form: { act: "webhook retry", item: about.webhook, words: { id: about.id } } };
  if ("company" in about && "contact" in about) {
    const path = href("/desk/companies/:id", { id: String(about.company) });
    return { link: { path, label: "Send a Direct Debit page" }, needs: "company link" };
  }
  if ("code" in about) {
    return about.company === undefined
      ? { link: { path: href("/desk/codes/:code", { code: about.code }), label: "Extend" }, needs: "code extend" }
      : {
          link: { path: href("/desk/companies/:id", { id: String(about.company) }), label: "Change the contract" },
          needs: "company contract",
        };
  }
  if ("endings" in about) {
    const search = about.endings === undefined ? { list: "ends-this-week" } : { company: about.endings };
    return { link: { path: withSearch(href("/desk/members"), search), label: "See the members" } };
  }
  if ("gap" in about) {
    return { link: { path: withSearch(href("/desk/content"), { gap: about.gap }), label: "See the items" } };
  }
  return { link: { path: listPathFor(about.part) ?? href("/desk/health"), label: "Look" } };
}
