import type { LoaderFunctionArgs } from "react-router";

import { requireServices } from "../../middleware/guards.ts";
import { type AccessScreen, findAccessScreen } from "./access.ts";
import { type AuditScreen, findAuditScreen } from "./audit.ts";
import { type CodeScreen, type CodesScreen, findCodeScreen, findCodesScreen } from "./codes.ts";
import { type CompaniesScreen, type CompanyScreen, findCompaniesScreen, findCompanyScreen } from "./companies.ts";
import type { Visitor } from "./operator.ts";
import { type DeskView, parseView } from "./view.ts";

/** A screen of the desk, as data. `missing`: there is nothing at the address. */
export type DeskScreen =
  | AccessScreen
  | AuditScreen
  | CompaniesScreen
  | CompanyScreen
  | CodesScreen
  | CodeScreen
  | { name: "missing"; title: string };

const missing = { name: "missing" as const, title: "We couldn't find that" };

/** The screen at an address. Each is found by the file of its name, which has its acts as well. */
export async function findDeskScreen({ context, url }: LoaderFunctionArgs, visitor: Visitor): Promise<DeskScreen> {
  const services = requireServices(context);
  const view: DeskView = parseView(url.searchParams);
  switch (view.name) {
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
    case "access":
      return findAccessScreen(services, visitor, url.origin);
    case "unknown":
      return missing;
  }
}
