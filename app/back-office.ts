import type { ServerBuild } from "react-router";

import type { Services } from "../server/services.ts";
import { readDeskSession, readDoorKey } from "./routes/desk/cookies.ts";
import { stripBase } from "./paths.ts";

/**
 * The routes that no member meets: the operators' desk and the page of a company's contact. Members' pages carry nothing of them, not even
 * in the list of routes that each page loads.
 */
const backOfficeRoutes = /^routes\/(?:desk|company)/;

/** The path of a request without the base; that of script's data requests without their ending. */
export function pathOfRequest({ pathname }: URL): string {
  return stripBase(pathname).replace(/(?:\/_)?\.data$/, "");
}

/** Where a stranger asks for the desk, the answer is that of any address that does not exist. */
export async function isForBackOffice(request: Request, url: URL, services: Services): Promise<boolean> {
  const path = pathOfRequest(url);
  return isBackOfficePath(path) && (!isDeskPath(path) || (await knowsDesk(request, url, services)));
}

function isDeskPath(path: string): boolean {
  return path === "/desk" || path.startsWith("/desk/");
}

export function isBackOfficePath(path: string): boolean {
  return isDeskPath(path) || path === "/company" || path.startsWith("/company/");
}

/** The build as members meet it: without the routes of the back office, and with the list of routes that `vite.config.ts` writes for it. */
export function withoutBackOffice(build: ServerBuild): ServerBuild {
  const { assets } = build;
  const url = assets.url.replace(/manifest-(\w+)\.js$/, "routes-$1.js");
  return { ...build, routes: ofMembers(build.routes), assets: { ...assets, url, routes: ofMembers(assets.routes) } };
}

function ofMembers<Route>(routes: Record<string, Route>): Record<string, Route> {
  return Object.fromEntries(Object.entries(routes).filter(([id]) => !backOfficeRoutes.test(id)));
}

/**
 * Whether a request may learn that there is a desk: it brings an operator's session or door key, or a link with one. For all others the
 * address does not exist.
 */
export async function knowsDesk(request: Request, url: URL, { operators }: Services): Promise<boolean> {
  const session = readDeskSession(request, url);
  if (session !== undefined && (await operators.findSession(session))) return true;
  for (const key of [readDoorKey(request, url), url.searchParams.get("door")]) {
    if (key && (await operators.isDoorKey(key))) return true;
  }
  const invitation = url.searchParams.get("invitation");
  return invitation !== null && (await operators.findInvitation(invitation)) !== undefined;
}
