import { z } from "zod";

import type { Act, ActRequest, ActResult, ActSource } from "../../server/operations/acts/act.ts";
import { type ActName, acts, predictAct, runAct } from "../../server/operations/acts/acts.ts";
import type { Services } from "../../server/services.ts";
import { home } from "./app.ts";

/** The operator of the module's tests, and their reason. */
export const olive = { operator: "olive@desk.example", reason: "They wrote to us" };

type App = { services: Services };

type About = { subject?: string | number; item?: string | number; fields?: Record<string, string> };

/** Does an act as the desk and a command do once they know who acts. A field that refuses its text is refused like the act. */
export async function act(app: App, name: ActName, about: About = {}): Promise<ActResult> {
  const prepared = prepare(app, name, about);
  return "ok" in prepared ? prepared : runAct(name, ...prepared);
}

/** The sentences that the desk says before it does an act, or those of a refusal. */
export async function predict(app: App, name: ActName, about: About = {}): Promise<string[]> {
  const prepared = prepare(app, name, about);
  const prediction = "ok" in prepared ? prepared : await predictAct(name, ...prepared);
  return Array.isArray(prediction) ? prediction : Object.values(prediction.errors).flat();
}

function prepare(
  { services }: App,
  name: ActName,
  { subject = "", item = "", fields = {} }: About,
): Extract<ActResult, { ok: false }> | [ActRequest, ActSource] {
  const { fields: wanted }: Act = acts[name];
  const schemas = Object.entries(wanted).map(([field, { schema }]) => [field, schema] as const);
  const read = z.object(Object.fromEntries(schemas)).safeParse(fields);
  if (!read.success) {
    return {
      ok: false,
      errors: Object.fromEntries(read.error.issues.map(({ path, message }) => [path[0], [message]])),
    };
  }
  const request = { subject: String(subject), item: String(item), values: read.data };
  return [request, { services, by: olive, ...home, mailFolder: undefined }];
}

/** The JSON of an act that was done; the sentences of one that was refused. */
export function toOutcome(result: ActResult): object | string {
  return result.ok ? (result.json ?? {}) : Object.values(result.errors).flat().join(" ");
}
