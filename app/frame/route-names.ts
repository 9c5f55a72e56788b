import { matchRoutes, type RouteObject, type ServerBuild } from "react-router";

import { pathFromRoot, type ServerRoute } from "./admission.ts";
import { stripBase } from "./paths.ts";
import { createBySegment } from "./route-segments.ts";

/**
 * Names the route of a path by its pattern, such as `/media/:name`, because metrics must contain no id. The data of a
 * page has the page's name with `.data`. An unknown address is `/*`.
 */
export function createRouteNames(routes: ServerBuild["routes"]): (path: string) => string {
  const findPaths = createBySegment(routes, listPaths);
  return (pathname) => {
    const path = stripBase(pathname);
    const page = path.replace(/(?:\/_)?\.data$/, "") || "/";
    const name = matchRoutes(findPaths(path), page)?.at(-1)?.route.path ?? NOWHERE;
    return page === path || name === NOWHERE ? name : `${name}.data`;
  };
}

const NOWHERE = "/*";

/** With whole paths, side by side. A layout has none of its own: its index has its path. */
function listPaths(routes: ServerBuild["routes"]): RouteObject[] {
  const all = Object.values(routes).filter((route): route is ServerRoute => route !== undefined);
  const layouts = new Set(all.map(({ parentId }) => parentId));
  return all.filter(({ id }) => !layouts.has(id)).map((route) => ({ path: pathFromRoot(routes, route) || "/" }));
}
