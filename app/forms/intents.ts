import { data, type ActionFunctionArgs } from "react-router";

import { forms } from "../../server/refusals.ts";

/** One form of a screen: what it was sent with, and the request it came in. */
export type Intent = (form: FormData, args: ActionFunctionArgs) => unknown;

/**
 * Gives a posted form to the function that its `intent` field names. A body that cannot be read and an intent that
 * the screen does not have are answered 400.
 */
export async function runIntent<Intents extends Record<string, Intent>>(
  args: ActionFunctionArgs,
  intents: Intents,
): Promise<Awaited<ReturnType<Intents[keyof Intents]>>> {
  const form = await readForm(args.request);
  const name = form.get("intent");
  const intent = typeof name === "string" && Object.hasOwn(intents, name) ? intents[name] : undefined;
  if (!intent) throw data(forms["no-such-form"], { status: 400 });
  return (await intent(form, args)) as Awaited<ReturnType<Intents[keyof Intents]>>;
}

/** The fields of a posted form; a body that cannot be read is answered 400. */
export async function readForm(request: Request): Promise<FormData> {
  try {
    return withoutNul(await request.formData());
  } catch {
    throw data(forms.unreadable, { status: 400 });
  }
}

/** PostgreSQL takes no NUL in a text, and no keyboard types one. */
function withoutNul(form: FormData): FormData {
  const clean = new FormData();
  for (const [name, value] of form) clean.append(name, typeof value === "string" ? value.replaceAll("\0", "") : value);
  return clean;
}
