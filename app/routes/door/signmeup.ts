import { redirect } from "react-router";

import type { Route } from "./+types/signmeup.ts";

/** An address for advertisements: sign-up at its first step. */
export function loader({ url }: Route.LoaderArgs) {
  const search = new URLSearchParams(url.search);
  search.set("step", "1");
  return redirect(`/signup?${search.toString()}`);
}
