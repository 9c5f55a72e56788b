import { data, type ActionFunctionArgs } from "react-router";

import { forms } from "../../server/refusals.ts";
import { readText } from "./read-text.ts";

/** Handles one form of a screen: its fields, and the request. */
export type Intent = (form: FormData, args: ActionFunctionArgs) => unknown;

/** Calls the function of the form's `intent` field. An unreadable body or unknown intent is answered 400. */
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

/** An unreadable body is answered 400. */
export async function readForm(request: Request): Promise<FormData> {
  try {
    return withoutNul(await request.formData());
  } catch {
    throw data(forms.unreadable, { status: 400 });
  }
}

/** Whether a `SwitchForm` was sent to switch something on. Throws a 400 for anything but `on` and `off`. */
export function readSwitch(form: FormData): boolean {
  const wanted = readText(form, "wanted");
  if (wanted !== "on" && wanted !== "off") throw data(forms["no-switch"], { status: 400 });
  return wanted === "on";
}

/** PostgreSQL stores no NUL in a text, and no keyboard types one. */
function withoutNul(form: FormData): FormData {
  const clean = new FormData();
  for (const [name, value] of form) clean.append(name, typeof value === "string" ? value.replaceAll("\0", "") : value);
  return clean;
}
