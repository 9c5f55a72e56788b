import { createContext, data, type MiddlewareFunction, type RouterContextProvider } from "react-router";

import type { Operator } from "../../../server/operators/operators.ts";
import { desk } from "../../../server/refusals.ts";
import { knowsDesk } from "../../back-office.ts";
import { requireServices } from "../../middleware/guards.ts";
import { readDeskSession } from "./cookies.ts";

/** Who is at the desk: an operator with a session, or someone who may only see the log-in. */
export type Visitor = { tokenHash: string; operator: Operator };

const operatorContext = createContext<Visitor | null>(null);

/** Finds the operator of a request. Strangers get the answer of an address that does not exist (`app/handler.ts` says so earlier). */
export const operatorMiddleware: MiddlewareFunction<Response> = async ({ request, url, context }) => {
  const services = requireServices(context);
  const token = readDeskSession(request, url);
  const session = token === undefined ? undefined : await services.operators.findSession(token);
  if (session) context.set(operatorContext, session);
  else if (!(await knowsDesk(request, url, services))) throw data(null, { status: 404 });
};

export function findVisitor(context: Readonly<RouterContextProvider>): Visitor | undefined {
  return context.get(operatorContext) ?? undefined;
}

/** For answers that are not pages. Throws a 403 unless an operator is logged in. */
export function requireOperator(context: Readonly<RouterContextProvider>): Visitor {
  const visitor = findVisitor(context);
  if (!visitor) throw data(desk.ours["not-logged-in"], { status: 403 });
  return visitor;
}
