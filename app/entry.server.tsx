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
import { waitForLateComponents } from "./frame/late-component.tsx";
import { finishPage } from "./frame/late-script.ts";
import { toBytes } from "./frame/page-bytes.ts";
import { SchemeContext } from "./frame/scheme.ts";

/**
 * Renders a page as one string: no page defers data, and the streaming renderer takes 1.7 times as long for the same
 * bytes. The loader data follows the page in one script, as the framework's `StreamTransfer` writes it.
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
  // The dev server's policy needs none, and React would warn of each element that has one.
  const nonce = import.meta.env.PROD ? context.get(nonceContext) : "";
  const handoff = serverHandoffStream ? await readAll(serverHandoffStream) : "";
  await waitForLateComponents();
  const html = renderToString(
    <SchemeContext value={readScheme(request)}>
      <ServerRouter context={rest} url={request.url} nonce={nonce} />
    </SchemeContext>,
  );
  headers.set("Content-Type", "text/html; charset=utf-8");
  const page = toBytes(finishPage(html, handoff, nonce));
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

/** Answers that routes threw on purpose (404, 400, 503) are no faults. */
export const handleError: HandleErrorFunction = (error, { request, context }) => {
  if (isRouteErrorResponse(error) && error.status !== 500) return;
  const services = context?.get(servicesContext);
  if (services) logRequestFault(services.log, request, error);
  else if (!request.signal.aborted) console.error({ method: request.method, error });
};
