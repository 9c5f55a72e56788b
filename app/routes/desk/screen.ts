import type { LoaderFunctionArgs } from "react-router";

import { requireServices } from "../../middleware/guards.ts";
import { type AccessScreen, findAccessScreen } from "./access.ts";
import { type AuditScreen, findAuditScreen } from "./audit.tsx";
import { findMemberScreen, type MemberScreen } from "./member.ts";
import { findMembersScreen, type MembersScreen } from "./members.ts";
import { type EmailsScreen, findEmailsScreen } from "./emails.ts";
import { type FiguresScreen, findFiguresScreen } from "./figures.ts";
import {
  type CatalogueScreen,
  findCatalogueScreen,
  findHealthScreen,
  findJobsScreen,
  type HealthScreen,
  type JobsScreen,
} from "./health.ts";
import {
  type ContentScreen,
  type DraftsScreen,
  findContentScreen,
  findDraftsScreen,
  findPreviewScreen,
  type PreviewScreen,
} from "./content.ts";
import { type CodeScreen, type CodesScreen, findCodeScreen, findCodesScreen } from "./codes.ts";
import { type CompaniesScreen, type CompanyScreen, findCompaniesScreen, findCompanyScreen } from "./companies.ts";
import type { Visitor } from "./operator.ts";
import { findSignUpScreen, type SignUpScreen } from "./sign-up.ts";
import { type DeskView, parseView } from "./view.ts";
import { findWebhooksScreen, type WebhooksScreen } from "./webhooks.ts";

/** A screen of the desk, as data. `missing`: there is nothing at the address. */
export type DeskScreen =
  | AccessScreen
  | AuditScreen
  | MemberScreen
  | MembersScreen
  | SignUpScreen
  | HealthScreen
  | EmailsScreen
  | WebhooksScreen
  | JobsScreen
  | CatalogueScreen
  | FiguresScreen
  | ContentScreen
  | DraftsScreen
  | PreviewScreen
  | CompaniesScreen
  | CompanyScreen
  | CodesScreen
  | CodeScreen
  | { name: "missing"; title: string };

const missing = { name: "missing" as const, title: "We couldn't find that" };

/** The screen at an address. The file of its name finds its data and has its acts. */
export async function findDeskScreen({ context, url }: LoaderFunctionArgs, visitor: Visitor): Promise<DeskScreen> {
  const services = requireServices(context);
  const view: DeskView = parseView(url.searchParams);
  switch (view.name) {
    case "members":
      return (await findMembersScreen(services, view)) ?? missing;
    case "member":
      return (await findMemberScreen(services, view)) ?? missing;
    case "sign-up":
      return (await findSignUpScreen(services, view)) ?? missing;
    case "health":
      return findHealthScreen(services);
    case "emails":
      return findEmailsScreen(services, view);
    case "webhooks":
      return findWebhooksScreen(services);
    case "jobs":
      return findJobsScreen(services);
    case "catalogue":
      return findCatalogueScreen(services);
    case "figures":
      return findFiguresScreen(services, view);
    case "companies":
      return findCompaniesScreen(services, view);
    case "company":
      return (await findCompanyScreen(services, view)) ?? missing;
    case "codes":
      return findCodesScreen(services, view);
    case "code":
      return (await findCodeScreen(services, view)) ?? missing;
    case "audit":
      return findAuditScreen(services, view);
    case "content":
      return (await findContentScreen(services, view)) ?? missing;
    case "drafts":
      return findDraftsScreen(services);
    case "preview":
      return (await findPreviewScreen(services, view)) ?? missing;
    case "access":
      return findAccessScreen(services, visitor, url.origin);
    case "unknown":
      return missing;
  }
}
