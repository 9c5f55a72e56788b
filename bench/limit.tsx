import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type { ComponentType, LinkHTMLAttributes, ReactNode } from "react";
import { renderToString } from "react-dom/server";
import {
  createStaticRouter,
  parsePath,
  RouterContextProvider,
  StaticRouterProvider,
  useLoaderData,
} from "react-router";

import { servicesContext, callerContext } from "../app/frame/context.ts";
import Dashboard, { loader } from "../app/routes/member/dashboard.tsx";
import { PendingBar } from "../app/components/page-frame.tsx";
import { DEMO_PASSWORD, demoMembers } from "../server/cli/demo-data.ts";
import type { Services } from "../server/services.ts";

/**
 * The limit: the cheapest honest way to the same bytes. A bare server renders the same React tree to a string, with the
 * page's data in memory; its router has one route, it does not compress, and browsers get no data for hydration.
 * `stage.ts` bundles it.
 */

// The product stays outside of the bundle, as in `app/frame/middleware/services.ts`.
const { openServices } = (await import(
  /* @vite-ignore */ pathToFileURL(resolve("bench/synthetic-services.ts")).href
)) as {
  openServices(): Promise<Services>;
};
const services = await openServices();
const member = await services.accounts.findMemberByPassword(demoMembers[0]?.email ?? "", DEMO_PASSWORD);

/** The loader's data for a path. */
type LoaderData = object;

const pages = new Map<string, LoaderData>();
/** The `<link>` elements of our own pages. */
const links = JSON.parse(process.env.LINKS ?? "[]") as LinkHTMLAttributes<HTMLLinkElement>[];
// The route's type requires props of the router that the page does not use.
const Page = Dashboard as unknown as ComponentType<{ loaderData: LoaderData }>;

async function load(path: string, origin: string): Promise<LoaderData> {
  const context = new RouterContextProvider();
  context.set(servicesContext, services);
  context.set(callerContext, { token: undefined, avatar: undefined, member });
  const url = new URL(path, origin);
  const { data } = await loader({ context, url, request: new Request(url), params: {}, pattern: "/" });
  pages.set(path, data);
  return data;
}

/** The document around a page, as in `app/root.tsx`. */
function Document({ children }: { children: ReactNode }) {
  return (
    <html lang="en-GB" data-scheme="system">
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="description" content="Videos, articles and webinars that help people who sleep badly." />
        <meta name="color-scheme" content="dark light" />
        <meta name="theme-color" content="#0d1420" />
        {links.map((link) => (
          <link key={`${link.rel} ${link.href}`} {...link} />
        ))}
      </head>
      <body>
        <PendingBar isPending={false} />
        {children}
      </body>
    </html>
  );
}

function Screen() {
  return (
    <Document>
      <Page loaderData={useLoaderData()} />
    </Document>
  );
}

const route = { id: "routes/member/dashboard", path: "*", Component: Screen };
const routes = [route];

/** The router context of a page with one route, matched beforehand, for links, forms and fetchers. */
function toRouterContext(path: string, loaderData: LoaderData) {
  const { pathname = "/", search = "", hash = "" } = parsePath(path);
  return {
    basename: "/",
    location: { pathname, search, hash, state: null, key: "default" },
    // A static handler would compute these, which are known here.
    _match: () => null,
    matches: [{ params: {}, pathname, pathnameBase: "/", route }],
    loaderData: { [route.id]: loaderData },
    actionData: null,
    errors: null,
    statusCode: 200,
    loaderHeaders: {},
    actionHeaders: {},
  };
}

async function answer({ url: path = "/", headers }: IncomingMessage, response: ServerResponse): Promise<void> {
  const loaderData = pages.get(path) ?? (await load(path, `http://${headers.host}`));
  const context = toRouterContext(path, loaderData);
  const html = renderToString(
    <StaticRouterProvider context={context} router={createStaticRouter(routes, context)} hydrate={false} />,
  );
  response.writeHead(200, { "Content-Type": "text/html; charset=utf-8" }).end(`<!doctype html>${html}`);
}

createServer((request, response) => void answer(request, response)).listen(Number(process.env.PORT), process.env.HOST);
