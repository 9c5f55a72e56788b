import type { Route } from "./+types/gocardless.ts";
import { receiveWebhooks, refuseVisits } from "./receive-webhooks.ts";

export const loader = refuseVisits;

export const action = (arrival: Route.ActionArgs) => receiveWebhooks("gocardless", arrival);
