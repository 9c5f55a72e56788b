import { randomInt } from "node:crypto";
import { renderToStaticMarkup } from "react-dom/server";
import { type MiddlewareFunction, redirect, redirectDocument } from "react-router";

import type { Item } from "../../../server/content/item.ts";
import { nonceContext, visitorContext } from "../../context.ts";
import { awakeCookie, readAwakeCookie } from "../../cookies.ts";
import { isDataRequest } from "../../forms/answer.ts";
import { requireServices } from "../../middleware/guards.ts";
import { href, pathOf } from "../../paths.ts";
import style from "./awake.css?inline";

/**
 * Awake now, `/?view=awake`: one piece at a time, for the middle of the night. It is a document of its own, without script, pictures or
 * fonts, so that nothing of the other screens has to arrive first. Who may not see it gets the dashboard's answer to that.
 */
export const awakeMiddleware: MiddlewareFunction<Response> = async ({ request, context, url }, next) => {
  if (url.searchParams.get("view") !== "awake" || request.method === "POST") return next();
  const services = requireServices(context);
  const { member } = context.get(visitorContext);
  const pieces = services.catalogue.listAwake();
  const [first] = pieces;
  const isActive = member && (await services.membership.findAccess(member.id)).isActive;
  if (!isActive || !first) return next();
  if (isDataRequest(request)) return redirectDocument(href(pathOf(url)));

  const shown = readAwakeCookie(request).filter((key) => pieces.some((piece) => keyOf(piece) === key));
  const asked = url.searchParams.get("piece");
  const piece = pieces.find((each) => keyOf(each) === asked);
  if (!piece) {
    // A piece has an address of its own, so that a reload and Back show the same one.
    return redirect(href(`/?view=awake&piece=${keyOf(pickNew(pieces, shown) ?? first)}`));
  }
  const now = [...new Set([...shown, keyOf(piece)])];
  const another = pickNew(pieces, now);
  const nonce = context.get(nonceContext);
  const html = renderToStaticMarkup(
    <AwakePage piece={piece} another={another && keyOf(another)} productName={services.product.name} nonce={nonce} />,
  );
  return new Response(`<!doctype html>${html}`, {
    headers: {
      "Content-Type": "text/html; charset=utf-8",
      "Content-Security-Policy": `default-src 'none'; style-src 'nonce-${nonce}'; img-src 'self'; media-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
      "Set-Cookie": awakeCookie(url, another ? now : []),
    },
  });
};

function keyOf({ kind, id }: Pick<Item, "kind" | "id">): string {
  return `${kind}-${id}`;
}

/** One that was not shown tonight. */
function pickNew(pieces: Item[], shown: string[]): Item | undefined {
  const left = pieces.filter((piece) => !shown.includes(keyOf(piece)));
  return left.length > 0 ? left[randomInt(left.length)] : undefined;
}

type AwakePageProps = { piece: Item; another: string | undefined; productName: string; nonce: string | undefined };

function AwakePage({ piece: { title, bodyHtml, breathing }, another, productName, nonce }: AwakePageProps) {
  return (
    <html lang="en-GB">
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="dark" />
        <meta name="theme-color" content="#05080d" />
        <title>{`Awake now – ${productName}`}</title>
        <link rel="icon" href={href("/favicon.svg")} type="image/svg+xml" />
        <style nonce={nonce} dangerouslySetInnerHTML={{ __html: style + (breathing ? rhythmOf(breathing) : "") }} />
      </head>
      <body>
        <main>
          <h1>{title}</h1>
          {breathing && <div className="breath" aria-hidden="true" />}
          <div className="words" dangerouslySetInnerHTML={{ __html: bodyHtml }} />
        </main>
        <nav aria-label="Awake now">
          {another ? (
            <a className="another" href={href(`/?view=awake&piece=${another}`)}>
              Another
            </a>
          ) : (
            <a className="another" href={href("/?view=awake")}>
              That was the last one for tonight. Begin again
            </a>
          )}{" "}
          <a href={href("/")}>{`Back to ${productName}`}</a>
        </nav>
        <footer>
          If most of your nights are like this, a GP can help. If you feel you can’t go on, call{" "}
          <a href="tel:116123">Samaritans on 116 123</a>, at any hour.
        </footer>
      </body>
    </html>
  );
}

/** The shape opens for one breath in and closes for one breath out. */
function rhythmOf({ in: breathIn, out: breathOut }: { in: number; out: number }): string {
  const whole = breathIn + breathOut;
  const open = ((100 * breathIn) / whole).toFixed(1);
  return `.breath{animation-duration:${whole}s}@keyframes breath{0%,100%{transform:scale(.45)}${open}%{transform:scale(1)}}`;
}
