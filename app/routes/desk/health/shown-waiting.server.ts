import { href } from "react-router";

import { type ActName, describeAct, mayDo } from "../../../../server/operations/acts/acts.ts";
import type { Urgency, Waiting, WaitingSubject } from "../../../../server/operations/desk/waiting.ts";
import type { Role } from "../../../../server/operations/operators/roles.ts";
import { withSearch } from "../../../frame/paths.ts";
import type { ActFormProps } from "../act-form.tsx";
import { codePath, companyPath, giftPath, memberPath } from "../parts/paths.ts";
import { listPathFor } from "./shown-finding.server.ts";

export type ShownWaiting = {
  urgency: Urgency;
  what: string;
  why: string | undefined;
  form: ActFormProps | undefined;
  link: Link | undefined;
};

type Link = { path: string; label: string };

/** `undefined` for an operator who may not do the act. */
export function toShownWaiting({ urgency, what, why, about }: Waiting, role: Role): ShownWaiting | undefined {
  const { form, link, needs = form?.act } = toAct(about);
  if (needs !== undefined && !mayDo(role, needs)) return undefined;
  return { urgency, what, why, form: form && { ...form, act: describeAct(role, form.act) }, link };
}

function toAct(about: WaitingSubject): { form?: ActFormProps<ActName>; link?: Link; needs?: ActName } {
  if ("order" in about) {
    const path = about.member === undefined ? href("/desk/health") : `${memberPath(about.member)}#orders`;
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
    const path = companyPath(about.company);
    return { link: { path, label: "Send a Direct Debit page" }, needs: "company link" };
  }
  if ("code" in about) {
    return about.company === undefined
      ? { link: { path: codePath(about.code), label: "Extend" }, needs: "code extend" }
      : { link: { path: companyPath(about.company), label: "Change the contract" }, needs: "company contract" };
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
