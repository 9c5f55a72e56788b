import { createContext, data, type MiddlewareFunction, type RouterContextProvider } from "react-router";

import type { Operator } from "../../../server/operations/operators/operators.ts";
import { desk } from "../../../server/refusals.ts";
import { addressContext } from "../../frame/context.ts";
import { requireServices } from "../../frame/middleware/guards.ts";
import { deskSession } from "./cookies.ts";

export type DeskCaller = { tokenHash: string; operator: Operator };

const operatorContext = createContext<DeskCaller | null>(null);

/** Finds the session. 404 until there is an operator, and for addresses outside of the setting `DESK_ALLOWED`. */
export const operatorMiddleware: MiddlewareFunction<Response> = async ({ request, url, context }) => {
  const { operators, mayReachDesk } = requireServices(context);
  if (!mayReachDesk(context.get(addressContext))) throw data(null, { status: 404 });
  const token = deskSession.read(request, url);
  const session = token === undefined ? undefined : await operators.findSession(token);
  if (session) context.set(operatorContext, session);
  else if (!(await operators.isThereAny())) throw data(null, { status: 404 });
};

export function findDeskCaller(context: Readonly<RouterContextProvider>): DeskCaller | undefined {
  return context.get(operatorContext) ?? undefined;
}

/** Throws a 403 unless an operator is logged in; the layout then shows the log-in. */
export function requireOperator(context: Readonly<RouterContextProvider>): DeskCaller {
  const caller = findDeskCaller(context);
  if (!caller) throw data(desk["not-logged-in"], { status: 403 });
  return caller;
}
