import type { LoaderFunctionArgs } from "react-router";

import { requireServices } from "../../middleware/guards.ts";
import { href } from "../../paths.ts";
import { type AccessScreen, findAccessScreen } from "./access.ts";
import { type AuditScreen, findAuditScreen } from "./audit.ts";
import {
  type ContentScreen,
  type DraftsScreen,
  findContentScreen,
  findDraftsScreen,
  findPreviewScreen,
  type PreviewScreen,
} from "./content.ts";
import type { Visitor } from "./operator.ts";
import { type DeskView, parseView } from "./view.ts";

/** A screen of the desk, as data. `missing`: there is nothing at the address. */
export type DeskScreen =
  | AccessScreen
  | AuditScreen
  | ContentScreen
  | DraftsScreen
  | PreviewScreen
  | { name: "missing"; title: string };

const missing = { name: "missing" as const, title: "We couldn't find that" };

/** The screen at an address. Each is found by the file of its name, which has its acts as well. */
export async function findDeskScreen({ context, url }: LoaderFunctionArgs, visitor: Visitor): Promise<DeskScreen> {
  const services = requireServices(context);
  const view: DeskView = parseView(url.searchParams);
  switch (view.name) {
    case "audit":
      return findAuditScreen(services, view);
    case "content":
      return (await findContentScreen(services, view)) ?? missing;
    case "drafts":
      return findDraftsScreen(services);
    case "preview":
      return (await findPreviewScreen(services, view, href("/"))) ?? missing;
    case "access":
      return findAccessScreen(services, visitor, url.origin);
    case "unknown":
      return missing;
  }
}
