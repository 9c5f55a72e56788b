import { data } from "react-router";

import { forms } from "../../server/refusals.ts";
import { readText } from "./read-text.ts";

/** Whether a `SwitchForm` was sent to switch something on. Throws a 400 for anything but `on` and `off`. */
export function readSwitch(form: FormData): boolean {
  const wanted = readText(form, "wanted");
  if (wanted !== "on" && wanted !== "off") throw data(forms["no-switch"], { status: 400 });
  return wanted === "on";
}
