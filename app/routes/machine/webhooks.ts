import type { RouterContextProvider } from "react-router";

import { requireServices } from "../../frame/middleware/guards.ts";
import type { Route } from "./+types/webhooks.ts";

/** For a person who opens a webhook's address in a browser. */
export function loader(): Response {
  return new Response("This address is for webhook events from other servers.\n", {
    status: 405,
    headers: { Allow: "POST" },
  });
}

/** One address for each sender: the gateways and the CMS. */
export function action({ request, context, params: { sender } }: Route.ActionArgs) {
  return sender === "cms" ? receiveSignal({ request, context }) : receiveEvents(sender, { request, context });
}

type Delivery = { request: Request; context: Readonly<RouterContextProvider> };

/**
 * Keeps a gateway's webhook events and answers at once: the work comes later. A gateway sends again what got no 2xx, so an event
 * that could not be kept is not answered with one.
 */
async function receiveEvents(gateway: string, { request, context }: Delivery): Promise<Response> {
  const { webhooks, log } = requireServices(context);
  const receipt = await webhooks.receive({ gateway, body: await request.text(), headers: request.headers });
  if (receipt === "kept") return new Response(null, { status: 204 });
  if (receipt === "unknown-gateway") return new Response(NOT_CONFIGURED, { status: 404 });
  log.warn({ gateway }, "a webhook event was refused: its signature is not the provider's");
  return new Response("The signature is wrong.\n", { status: 400 });
}

/** The CMS says that something changed; the refresh finds out what, after the answer. */
function receiveSignal({ request, context }: Delivery): Response {
  const { contentSignal } = requireServices(context);
  if (!contentSignal) return new Response(NOT_CONFIGURED, { status: 404 });
  const isKnown = contentSignal(request.headers.get("Authorization")?.replace(/^Bearer /i, "") ?? "");
  return isKnown ? new Response(null, { status: 202 }) : new Response("The secret is wrong.\n", { status: 401 });
}

const NOT_CONFIGURED = "Nothing is configured for this.\n";
