import type { Route } from "./+types/stripe.ts";
import { receiveWebhooks, refuseVisits } from "./receive-webhooks.ts";

export const loader = refuseVisits;

export const action = (arrival: Route.ActionArgs) => receiveWebhooks("stripe", arrival);
