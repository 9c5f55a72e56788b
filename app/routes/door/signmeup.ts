import { redirect } from "react-router";

import type { Route } from "./+types/signmeup.ts";

/** For advertisements: the first step of sign-up. */
export function loader({ url }: Route.LoaderArgs) {
  const search = new URLSearchParams(url.search);
  search.set("step", "1");
  return redirect(`/signup?${search.toString()}`);
}
