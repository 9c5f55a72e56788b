import { readdirSync } from "node:fs";
import { join } from "node:path";
import { index, layout, route, type RouteConfig } from "@react-router/dev/routes";

import { toScreenPath } from "./routes/desk/navigation.ts";

const screensOfDesk = readdirSync(join(import.meta.dirname, "routes/desk/screens")).map((name) => {
  const [path, file] = [toScreenPath(name), `routes/desk/screens/${name}`];
  return path === "" ? index(file) : route(path, file);
});

/**
 * Every URL of the site. Search parameters hold the state of a member's screen; a company's page has one route a
 * screen, and so has the desk, whose screens are the files of a folder.
 */
export default [
  route("/", "routes/member/dashboard.tsx"),
  route("dashboard", "routes/member/dashboard.tsx", { id: "dashboard-alias" }),
  route("signup", "routes/door/signup.tsx"),
  route("signmeup", "routes/door/signmeup.ts"),
  route("login", "routes/door/login.tsx"),
  route("give", "routes/door/give.tsx"),
  route("given", "routes/door/given.tsx"),
  route("gift", "routes/door/gift.tsx"),
  route("gift-letter", "routes/door/gift-letter.tsx"),
  route("passkeys", "routes/door/passkeys.ts"),
  route("account-data", "routes/member/account-data.ts"),
  route("favourites", "routes/member/favourites.ts"),
  layout("routes/quiet/layout.ts", [
    route("awake", "routes/quiet/awake.tsx"),
    route("nights/:topic", "routes/quiet/nights.tsx"),
    route("kept/:key?", "routes/quiet/kept.tsx"),
    route("newsletter", "routes/quiet/newsletter.tsx"),
  ]),
  route("urgent-help", "routes/member/urgent-help.ts"),
  route("privacy", "routes/door/legal.tsx", { id: "privacy" }),
  route("terms", "routes/door/legal.tsx", { id: "terms" }),
  route("suggestions", "routes/member/suggestions.ts"),
  route("positions", "routes/member/positions.ts"),
  route("media/:name", "routes/machine/media.ts"),
  route("avatars/:hash", "routes/machine/avatars.ts"),
  route("demo-gateway/methods", "routes/door/demo-gateway/methods.ts"),
  route("demo-gateway/card/:id", "routes/door/demo-gateway/card.tsx"),
  route("demo-gateway/authenticate/:id", "routes/door/demo-gateway/authenticate.tsx"),
  route("demo-gateway/debit/:id", "routes/door/demo-gateway/debit.tsx"),
  route("webhooks/:sender", "routes/machine/webhooks.ts"),
  route("api/*", "routes/api/api.ts"),
  route("payment-return", "routes/door/payment-return.ts"),
  route("desk", "routes/desk/layout.tsx", [
    ...screensOfDesk,
    route(":list.csv", "routes/desk/list-file.ts"),
    route("content/:id/frame", "routes/desk/content/item-frame.tsx"),
    route("drafts/:draft/:name", "routes/desk/content/draft-media.ts"),
    route("passkeys", "routes/desk/log-in/passkeys.ts"),
    route("*", "routes/desk/not-found.tsx", { id: "desk-not-found" }),
  ]),
  route("company", "routes/company/layout.tsx", [
    index("routes/company/home.tsx"),
    route("poster", "routes/company/poster.tsx"),
    route("invoices/:number", "routes/company/invoice.tsx"),
    route("what-your-employer-sees", "routes/company/what-your-employer-sees.tsx"),
    route("collections.csv", "routes/company/collections.ts"),
    route("*", "routes/company/not-found.tsx", { id: "company-not-found" }),
  ]),
  route("healthz", "routes/machine/healthz.ts"),
  route("readyz", "routes/machine/readyz.ts"),
  route("*", "routes/not-found.tsx"),
] satisfies RouteConfig;
