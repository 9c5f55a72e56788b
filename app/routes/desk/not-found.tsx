import { data } from "react-router";

import type { Route } from "./+types/not-found.ts";
import { requireOperator } from "./operator.ts";

/** Any other address, form or not: the layout shows that there is nothing, or the log-in. */
export function loader({ context }: Route.LoaderArgs | Route.ActionArgs) {
  requireOperator(context);
  throw data(null, { status: 404 });
}

export { loader as action };

/** A route without a page would answer without the layout. */
export default function NotFound() {
  return null;
}
