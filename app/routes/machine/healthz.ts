import { txt } from "remix-utils/responses";

/** Alive: this process answers. */
export function loader() {
  return txt("ok\n", { headers: { "Cache-Control": "no-store" } });
}
