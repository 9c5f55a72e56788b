import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { ComponentType, LinkHTMLAttributes, ReactNode } from "react";
import { renderToString } from "react-dom/server";

import Dashboard, { type DashboardScreen, type House } from "../../app/routes/dashboard.tsx";
import { PendingBar } from "../../app/ui/pending-bar.tsx";

/**
 * The limit: the cheapest honest way to make the same bytes. The same React tree, rendered to a string by a bare server,
 * with its data in memory, without a router, without compression and without the data that a browser would hydrate from.
 */

/** A file of pages by the path each is answered under. */
export type LimitPages = {
  links: LinkHTMLAttributes<HTMLLinkElement>[];
  pages: Record<string, { house: House; screen: DashboardScreen }>;
};

const { links, pages } = JSON.parse(readFileSync(process.env.PAGES ?? "", "utf8")) as LimitPages;
// The route's own type asks for what the router adds, of which the page uses nothing.
const Page = Dashboard as unknown as ComponentType<{ loaderData: LimitPages["pages"][string] }>;

/** What `app/root.tsx` puts round a page. */
function Document({ children }: { children: ReactNode }) {
  return (
    <html lang="en-GB" data-scheme="system">
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
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

const server = createServer((request, response) => {
  const loaderData = pages[request.url ?? ""];
  if (!loaderData) return void response.writeHead(404).end();
  const html = renderToString(
    <Document>
      <Page loaderData={loaderData} />
    </Document>,
  );
  response.writeHead(200, { "Content-Type": "text/html; charset=utf-8" }).end(`<!doctype html>${html}`);
});
server.listen(Number(process.env.PORT), process.env.HOST);
