import type { Config } from "@react-router/dev/config";

import { readBasePath } from "./server/platform/base-path.ts";

/** `BASE_PATH` and `BUILD_DIR` are settings of a build; see `.env.example`. */
export default {
  ssr: true,
  basename: readBasePath(process.env.BASE_PATH),
  buildDirectory: process.env.BUILD_DIR || "build",
  // A few dozen routes fit one immutable file; discovering them lazily costs a request a page.
  routeDiscovery: { mode: "initial" },
  // A route's `clientAction` is a line: in a file of its own it would be a request more for each screen.
  splitRouteModules: false,
  // Which form is from our own page `app/frame/middleware/csrf.ts` decides alone, on every route and with a page that says so.
  allowedActionOrigins: ["**"],
} satisfies Config;
