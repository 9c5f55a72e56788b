import { z } from "zod";

import type { Act, ActResult } from "../../server/acts/act.ts";
import { type ActName, acts, runAct } from "../../server/acts/acts.ts";
import type { Services } from "../../server/services.ts";
import { home } from "./app.ts";

/** The operator of the module's tests, and their reason. */
export const olive = { operator: "olive@desk.example", reason: "They wrote to us" };

type About = { subject?: string | number; item?: string | number; fields?: Record<string, string> };

/** Does an act as the desk and a command do once they know who acts. A field that refuses its text is refused like the act. */
export async function act(
  { services }: { services: Services },
  name: ActName,
  { subject = "", item = "", fields = {} }: About = {},
): Promise<ActResult> {
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
  return runAct(name, request, { services, by: olive, ...home, mailFolder: undefined });
}

/** The JSON of an act that was done; the sentences of one that was refused. */
export function toOutcome(result: ActResult): object | string {
  return result.ok ? (result.json ?? {}) : Object.values(result.errors).flat().join(" ");
}
