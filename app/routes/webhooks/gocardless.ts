import type { Route } from "./+types/gocardless.ts";
import { receiveNotices, refuseVisits } from "./receive-notices.ts";

export const loader = refuseVisits;

export const action = (arrival: Route.ActionArgs) => receiveNotices("gocardless", arrival);
