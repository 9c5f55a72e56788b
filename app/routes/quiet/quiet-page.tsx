import { renderToStaticMarkup } from "react-dom/server";
import type { ReactNode } from "react";
import { redirect, type RouterContextProvider } from "react-router";
import { html } from "remix-utils/responses";

import type { Member } from "../../../server/members/accounts/accounts.ts";
import { fontPreloads } from "../../components/font-preloads.tsx";
import { nonceContext } from "../../frame/context.ts";
import { requireMember, requireServices } from "../../frame/middleware/guards.ts";
import { href } from "../../frame/paths.ts";
import style from "./quiet-page.css?inline";

type Context = Readonly<RouterContextProvider>;

type QuietPage = {
  title: string;
  style?: string;
  /** Part of the page, so that nothing else has to load. */
  script?: string | undefined;
  headers?: Record<string, string>;
  status?: number;
  children: ReactNode;
};

/**
 * A document with everything it needs: its style, and a small script that offers to store it on this device. It waits
 * for no other file, fonts included, and a deployment does not change stored copies.
 */
export function answerQuietPage(context: Context, page: QuietPage): Response {
  const { title, style: own = "", script, headers, status = 200, children } = page;
  const nonce = context.get(nonceContext);
  const document = renderToStaticMarkup(
    <html lang="en-GB">
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="dark" />
        <meta name="theme-color" content="#05080d" />
        <title>{title}</title>
        {fontPreloads}
        <link rel="icon" href={href("/favicon.svg")} type="image/svg+xml" />
        <style nonce={nonce} dangerouslySetInnerHTML={{ __html: style + own }} />
        <script type="module" async src={href("/keep.js")} />
      </head>
      <body>
        {children}
        {script && <script type="module" nonce={nonce} dangerouslySetInnerHTML={{ __html: script }} />}
      </body>
    </html>,
  );
  return html(`<!doctype html>${document}`, {
    status,
    headers: {
      "Content-Security-Policy": `default-src 'none'; style-src 'nonce-${nonce}'; script-src 'self'${script ? ` 'nonce-${nonce}'` : ""}; connect-src 'self'; worker-src 'self'; img-src 'self'; media-src 'self'; font-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'`,
      ...headers,
    },
  });
}

/** Sends a visitor to sign-up, and a member without access to the dashboard, which explains it. */
export async function admitMember(context: Context, url: URL): Promise<Member> {
  const member = requireMember(context, url);
  if (!(await requireServices(context).membership.findAccess(member.id)).isActive) throw redirect("/");
  return member;
}

/** `public/keep.js` puts a button here, where the browser can store something. */
export function KeepButtons({ name }: { name: string }) {
  return <p data-keep={name} />;
}
