import type { RouterContextProvider } from "react-router";

import { requireServices } from "../../frame/middleware/guards.ts";
import type { Route } from "./+types/webhooks.ts";

/** For a person who opens the address in a browser. */
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
 * Stores a gateway's events and answers at once: they are handled later. A gateway repeats without a 2xx, so an
 * unstored event gets none.
 */
async function receiveEvents(gateway: string, { request, context }: Delivery): Promise<Response> {
  const { webhooks, log } = requireServices(context);
  const receipt = await webhooks.receive({ gateway, body: await request.text(), headers: request.headers });
  if (receipt === "kept") return new Response(null, { status: 204 });
  if (receipt === "unknown-gateway") return new Response(NOT_CONFIGURED, { status: 404 });
  log.warn({ gateway }, "a webhook event was refused: its signature is not the provider's");
  return new Response("The signature is wrong.\n", { status: 400 });
}

/** The CMS reports a change; the refresh finds it after the answer. */
function receiveSignal({ request, context }: Delivery): Response {
  const { contentSignal } = requireServices(context);
  if (!contentSignal) return new Response(NOT_CONFIGURED, { status: 404 });
  const isKnown = contentSignal(request.headers.get("Authorization")?.replace(/^Bearer /i, "") ?? "");
  return isKnown ? new Response(null, { status: 202 }) : new Response("The secret is wrong.\n", { status: 401 });
}

const NOT_CONFIGURED = "Nothing is configured for this.\n";
