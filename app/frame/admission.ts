import type { ServerBuild } from "react-router";

import type { Admission } from "../../server/platform/http/request-body.ts";
import { hasRole } from "../../server/operations/operators/roles.ts";
import type { Services } from "../../server/services.ts";
import { readSessionToken } from "./cookies.ts";
import { isDashboard, stripBase } from "./paths.ts";
import { deskSession } from "../routes/desk/cookies.ts";

/** Owners upload a file of members there. */
const isMembers = (path: string) => path === "/desk/members";

/** Decides by the request's head alone which body it may bring, before anything of the body is read. */
export function createBodyAdmission(routes: ServerBuild["routes"]) {
  const takers = listTakers(routes);

  return async (request: Request, services: Services): Promise<Admission> => {
    const url = new URL(request.url);
    // Script requests the data of a page under its path with this ending.
    const path = stripBase(url.pathname).replace(/(?:\/_)?\.data$/, "") || "/";
    if (!takers.some((taker) => taker.test(path))) return { kind: "none" };
    if (path.startsWith("/webhooks/")) return { kind: "events" };
    const isMultipart = /^multipart\/form-data\s*(?:;|$)/i.test(request.headers.get("Content-Type") ?? "");
    if (request.method !== "POST" || !isMultipart) return { kind: "form" };
    if (isMembers(path)) return admitFile(request, url, services);
    // The form of a member's picture.
    if (!isDashboard(path)) return { kind: "form" };
    const token = readSessionToken(request, url);
    const session = token === undefined ? undefined : await services.sessions.find(token);
    // The other fields are read all the same, and the answer explains why the picture was refused.
    if (!session || (await services.avatars.hasNoneLeft(session.memberId))) return { kind: "fields" };
    return { kind: "picture", sender: String(session.memberId) };
  };
}

async function admitFile(request: Request, url: URL, { operators }: Services): Promise<Admission> {
  const token = deskSession.read(request, url);
  const session = token === undefined ? undefined : await operators.findSession(token);
  if (!session || !hasRole(session.operator.role, "owner")) return { kind: "fields" };
  return { kind: "picture", sender: `operator ${session.operator.id}` };
}

/** The whole path of a nested route. */
export function pathFromRoot(routes: ServerBuild["routes"], { path = "", parentId }: ServerRoute): string {
  const parent = parentId === undefined ? undefined : routes[parentId];
  const start = parent ? pathFromRoot(routes, parent) : "";
  return path === "" ? start : `${start}/${path.replace(/^\//, "")}`;
}

export type ServerRoute = NonNullable<ServerBuild["routes"][string]>;

/** Routes with an action. The one for all other addresses only answers that they do not exist. */
function listTakers(routes: ServerBuild["routes"]): RegExp[] {
  return Object.values(routes).flatMap((route) => {
    if (!route?.path || route.path === "*" || !route.module.action) return [];
    const expression = pathFromRoot(routes, route)
      .replaceAll(".", "\\.")
      .replaceAll(/\/:\w+\?/g, "(?:/[^/]+)?")
      .replaceAll(/:\w+/g, "[^/]+")
      .replace(/\*$/, ".*");
    return [new RegExp(`^${expression}/?$`, "i")];
  });
}
