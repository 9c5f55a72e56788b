import type { RouterContextProvider } from "react-router";

import { requireServices } from "../../middleware/guards.ts";

type Arrival = { request: Request; context: Readonly<RouterContextProvider> };

/**
 * Keeps what a payment provider tells us and answers at once: the work comes later. A provider sends again what it got no 2xx for,
 * so a webhook event that could not be kept is not answered with one.
 */
export async function receiveWebhooks(gateway: string, { request, context }: Arrival): Promise<Response> {
  const { webhooks, log } = requireServices(context);
  const receipt = await webhooks.receive({ gateway, body: await request.text(), headers: request.headers });
  if (receipt === "kept") return new Response(null, { status: 204 });
  if (receipt === "unknown-gateway") return new Response("Nothing is configured for this.\n", { status: 404 });
  log.warn({ gateway }, "a webhook event was refused: its signature is not the provider's");
  return new Response("The signature is wrong.\n", { status: 400 });
}

/** For whoever opens a webhook's address in a browser. */
export function refuseVisits(): Response {
  return new Response("This address is for webhook events from other servers.\n", {
    status: 405,
    headers: { Allow: "POST" },
  });
}
