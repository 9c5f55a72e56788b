import { data } from "react-router";

import { requireServices } from "../middleware/guards.ts";
import { Problem, toProblem } from "../components/problem.tsx";
import type { Route } from "./+types/not-found.ts";

/** Any other address. A form that is sent to one gets the same answer. */
export function loader({ context }: Route.LoaderArgs) {
  return data({ productName: requireServices(context).product.name }, { status: 404 });
}

export function action(args: Route.ActionArgs) {
  return loader(args);
}

export default function NotFound({ loaderData }: Route.ComponentProps) {
  return <Problem {...toProblem(404)} productName={loaderData.productName} />;
}
