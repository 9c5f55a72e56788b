import { createRequestHandler, type RequestHandler, type ServerBuild } from "react-router";

import { pathFromRoot, type ServerRoute } from "./admission.ts";
import { stripBase } from "./paths.ts";

type Routes = ServerBuild["routes"];

/**
 * Makes a handler that knows only the possible routes of each path. The framework compares a path with all routes, and
 * builds them again for each page: with some seventy that is a sixth of the CPU of a small page.
 */
export function createSegmentHandler(build: ServerBuild): RequestHandler {
  const findHandler = createBySegment(build.routes, (routes) => {
    const known = Object.entries(build.assets.routes).filter(([id]) => id in routes);
    const assets = { ...build.assets, routes: Object.fromEntries(known) };
    return createRequestHandler({ ...build, routes, assets }, "production");
  });
  return (request, context) => findHandler(stripBase(new URL(request.url).pathname))(request, context);
}

/**
 * Makes a value for each first segment of a path, such as `desk`, from its routes, the root, pathless layouts and the
 * not-found route. A path in another spelling (`/LOGIN`, `/%6Cogin`) gets the value of all routes.
 */
export function createBySegment<Made>(routes: Routes, make: (known: Routes) => Made): (path: string) => Made {
  const all = Object.values(routes).filter((route): route is ServerRoute => route !== undefined);
  const paths = new Map(all.map((route) => [route.id, pathFromRoot(routes, route) || "/"]));
  const toOwn = ({ id, path, index }: ServerRoute) =>
    path === "*" || (!path && !index) ? undefined : toSegment(paths.get(id) ?? "");
  const segments = Map.groupBy(all, toOwn);
  const everywhere = segments.get(undefined) ?? [];
  segments.delete(undefined);
  const whole = make(routes);
  const made = new Map([...segments].map(([segment, own]) => [segment, make(toRoutes([...everywhere, ...own]))]));
  return (path) => made.get(toSegment(path)) ?? whole;
}

const toRoutes = (known: ServerRoute[]): Routes => Object.fromEntries(known.map((route) => [route.id, route]));

/** Also for the data of a page. Empty for the start page. */
function toSegment(path: string): string | undefined {
  const [found, segment = ""] = /^\/(?:(?:_\.data)?$|([\w-]+)(?:\.data)?(?=\/|$))/.exec(path) ?? [];
  return found === undefined ? undefined : segment;
}
