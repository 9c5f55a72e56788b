import type { LoaderFunctionArgs } from "react-router";

import { requireServices } from "../../middleware/guards.ts";
import { type AccessScreen, findAccessScreen } from "./access.ts";
import { type AuditScreen, findAuditScreen } from "./audit.ts";
import { findMemberScreen, type MemberScreen } from "./member.ts";
import { findMembersScreen, type MembersScreen } from "./members.ts";
import type { Visitor } from "./operator.ts";
import { findSignUpScreen, type SignUpScreen } from "./sign-up.ts";
import { type DeskView, parseView } from "./view.ts";

/** A screen of the desk, as data. `missing`: there is nothing at the address. */
export type DeskScreen =
  | AccessScreen
  | AuditScreen
  | MemberScreen
  | MembersScreen
  | SignUpScreen
  | { name: "missing"; title: string };

const missing = { name: "missing" as const, title: "We couldn't find that" };

/** The screen at an address. Each is found by the file of its name, which has its acts as well. */
export async function findDeskScreen({ context, url }: LoaderFunctionArgs, visitor: Visitor): Promise<DeskScreen> {
  const services = requireServices(context);
  const view: DeskView = parseView(url.searchParams);
  switch (view.name) {
    case "members":
      return findMembersScreen(services, view);
    case "member":
      return (await findMemberScreen(services, view)) ?? missing;
    case "sign-up":
      return (await findSignUpScreen(services, view)) ?? missing;
    case "audit":
      return findAuditScreen(services, view);
    case "access":
      return findAccessScreen(services, visitor, url.origin);
    case "unknown":
      return missing;
  }
}
