import { txt } from "remix-utils/responses";

export function loader() {
  return txt("ok\n", { headers: { "Cache-Control": "no-store" } });
}
