import type { ReactNode } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { data, StaticRouter } from "react-router";
import { html } from "remix-utils/responses";
import { assets } from "virtual:react-router/server-build";

import type { Item as CatalogueItem } from "../../../../server/content/items/item.ts";
import { findSection, isAwakePiece } from "../../../../server/content/items/item-facts.ts";
import type { Services } from "../../../../server/services.ts";
import { answerQuietPage } from "../../quiet/quiet-page.tsx";
import { readScheme } from "../../../frame/cookies.ts";
import { SchemeContext } from "../../../frame/scheme.ts";
import { isDataRequest } from "../../../forms/answer.ts";
import { requireServices } from "../../../frame/middleware/guards.ts";
import { isFramedContext } from "../../../frame/middleware/security-headers.ts";
import { Piece, toRhythmRule } from "../../quiet/awake.tsx";
import { Item, toOpenItem } from "../../member/dashboard/item.tsx";
import shell from "../../member/dashboard/shell.module.css";
import type { Route } from "./+types/item-frame.ts";
import { requireOperator } from "../operator.ts";
import { leadToPreviews, readPreview } from "./preview.ts";

/**
 * An item or a draft with members' components and styles, on its own page without script. The desk frames it, so
 * neither desk nor member pages load it.
 */
export async function loader({ request, context, params, url }: Route.LoaderArgs) {
  requireOperator(context);
  const services = requireServices(context);
  const found = await readPreview(services, params.id, url.searchParams);
  if (!found?.ok) throw data(null, { status: 404 });
  if (!isDataRequest(request)) context.set(isFramedContext, true);
  const { item } = found;
  if (isAwakePiece(item)) return answerPiece(item, context);
  const page = <ItemPage item={item} services={services} isPlaying={url.searchParams.has("play")} />;
  const document = renderToStaticMarkup(
    <Document title={item.title} scheme={readScheme(request) ?? "system"}>
      <SchemeContext value={readScheme(request)}>{page}</SchemeContext>
    </Document>,
  );
  return html(`<!doctype html>${leadToPreviews(document)}`);
}

function Document({ title, scheme, children }: { title: string; scheme: string; children: ReactNode }) {
  const parts = [assets.routes["root"], assets.routes["routes/member/dashboard"]];
  const sheets = new Set(parts.flatMap((part) => part?.css ?? []).map((sheet) => sheet.replace("#", "")));
  return (
    <html lang="en-GB" data-scheme={scheme}>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>{title}</title>
        <base target="_top" />
        {[...sheets].map((sheet) => (
          <link key={sheet} rel="stylesheet" href={sheet} />
        ))}
      </head>
      <body>{children}</body>
    </html>
  );
}

function ItemPage({ item, services, isPlaying }: { item: CatalogueItem; services: Services; isPlaying: boolean }) {
  const { id, video } = item;
  const section = findSection(item);
  return (
    <StaticRouter location="/">
      <main id="main" className={shell.main}>
        <Item
          name="item"
          item={toOpenItem(item, services.clock())}
          isPlaying={isPlaying && video !== undefined && video.kind !== "elsewhere"}
          section={section}
          recommended={services.catalogue.listRecommended(section, id)}
          source=""
        />
      </main>
    </StaticRouter>
  );
}

/** A piece of Awake now is shown only there. */
function answerPiece(piece: CatalogueItem, context: Route.LoaderArgs["context"]): Response {
  const answer = answerQuietPage(context, {
    title: piece.title,
    style: toRhythmRule(piece),
    children: (
      <main className="piece">
        <Piece piece={piece} />
      </main>
    ),
  });
  const policy = answer.headers.get("Content-Security-Policy") ?? "";
  answer.headers.set("Content-Security-Policy", policy.replace("frame-ancestors 'none'", "frame-ancestors 'self'"));
  return answer;
}
