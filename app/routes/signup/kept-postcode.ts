import type { Services } from "../../../server/services.ts";
import { textOf } from "../../forms/text-of.ts";
import { createSealedCookie } from "../../sealed-cookie.ts";
import type { SignUpScreen } from "./sign-up-screen.ts";

/**
 * The postal code that was typed on the payment step when its email's code was sent: the browser keeps it for the page that comes
 * next, which shows it once. Where script runs that page is the same one, and nothing is lost anyway.
 */
const kept = createSealedCookie<{ postcode: string }>({ name: "postcode", lifeInMinutes: 15 });

type Place = { url: URL; services: Services };

/** The header that has the browser keep the postal code of a form, if there is one in it. */
export function keepPostcode(form: FormData, at: Place): Record<string, string> {
  const postcode = textOf(form, "postcode");
  const cookie = postcode === "" ? undefined : kept.write({ postcode }, at);
  return cookie === undefined ? {} : { "Set-Cookie": cookie };
}

/** The payment step with the postal code that was kept for it, and the header that has the browser forget it. */
export function showKeptPostcode(screen: SignUpScreen, request: Request, at: Place) {
  const found = screen.name === "payment" ? kept.read(request, at) : undefined;
  if (!found) return { screen, headers: {} };
  return { screen: { ...screen, ...found }, headers: { "Set-Cookie": kept.clear(at) } };
}
