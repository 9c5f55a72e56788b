import { renderToString } from "react-dom/server";
import {
  isRouteErrorResponse,
  ServerRouter,
  type EntryContext,
  type HandleErrorFunction,
  type RouterContextProvider,
} from "react-router";

import { readScheme } from "./frame/cookies.ts";
import { logRequestFault } from "./frame/middleware/faults.ts";
import { nonceContext, pageSinkContext, servicesContext } from "./frame/context.ts";
import { waitForParts } from "./frame/late-part.tsx";
import { finishPage } from "./frame/late-script.ts";
import { SchemeContext } from "./frame/scheme.ts";

/**
 * Renders a page as one string. No page defers data, so streaming would only cost: the renderer that streams takes
 * 1.7 times as long for the same bytes, and a browser without script never sees what arrives late. The loader data
 * that the framework would stream behind the page is put at its end in one script, as its own `StreamTransfer` does.
 */
// The framework calls it with these five.
// oxlint-disable-next-line max-params
export default async function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  entry: EntryContext,
  context: Readonly<RouterContextProvider>,
): Promise<Response> {
  const { serverHandoffStream, ...rest } = entry;
  // The dev server sends no policy that would need it, and React would warn of each element that has one.
  const nonce = import.meta.env.PROD ? context.get(nonceContext) : "";
  const handoff = serverHandoffStream ? await readAll(serverHandoffStream) : "";
  await waitForParts();
  const html = renderToString(
    <SchemeContext value={readScheme(request)}>
      <ServerRouter context={rest} url={request.url} nonce={nonce} />
    </SchemeContext>,
  );
  headers.set("Content-Type", "text/html; charset=utf-8");
  const page = Buffer.from(finishPage(html, handoff, nonce));
  const sink = context.get(pageSinkContext);
  if (!sink) return new Response(page, { status, headers });
  sink.page = page;
  return new Response(null, { status, headers });
}

async function readAll(stream: ReadableStream<Uint8Array>): Promise<string> {
  const reader = stream.getReader();
  const chunks: Uint8Array[] = [];
  for (let next = await reader.read(); !next.done; next = await reader.read()) chunks.push(next.value);
  return Buffer.concat(chunks).toString();
}

/** Logs faults. Answers that routes threw on purpose (404, 400, 503) are none. */
export const handleError: HandleErrorFunction = (error, { request, context }) => {
  if (isRouteErrorResponse(error) && error.status !== 500) return;
  const services = context?.get(servicesContext);
  if (services) logRequestFault(services.log, request, error);
  else if (!request.signal.aborted) console.error({ method: request.method, error });
};
