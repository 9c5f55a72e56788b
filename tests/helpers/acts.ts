import { z } from "zod";

import type { Act, ActRequest, ActResult, ActSource } from "../../server/operations/acts/act.ts";
import { type ActName, acts, predictAct, runAct } from "../../server/operations/acts/acts.ts";
import type { Self } from "../../server/operations/acts/subjects.ts";
import type { Services } from "../../server/services.ts";
import { home } from "./app.ts";

export const olive = { operator: "olive@desk.example", reason: "They wrote to us" };

type App = { services: Services };

export type About = {
  subject?: string | number;
  item?: string | number;
  fields?: Record<string, string>;
  /** The operator at the desk; none, as in a command, by default. */
  self?: Self;
};

/** As the desk and commands do once they know who acts. A field's refusal counts as the act's. */
export async function act(app: App, name: ActName, about: About = {}): Promise<ActResult> {
  const prepared = prepare(app, name, about);
  return "ok" in prepared ? prepared : runAct(name, ...prepared);
}

/** Or the sentences of a refusal. */
export async function predict(app: App, name: ActName, about: About = {}): Promise<string[]> {
  const prepared = prepare(app, name, about);
  const prediction = "ok" in prepared ? prepared : await predictAct(name, ...prepared);
  return Array.isArray(prediction) ? prediction : Object.values(prediction.errors).flat();
}

function prepare(
  { services }: App,
  name: ActName,
  { subject = "", item = "", fields = {}, self }: About,
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
  return [request, { services, by: olive, ...home, mailFolder: undefined, ...(self && { self }) }];
}

/** The JSON of a completed act, or the sentences of a refused one. */
export function toOutcome(result: ActResult): object | string {
  return result.ok ? (result.json ?? {}) : Object.values(result.errors).flat().join(" ");
}
