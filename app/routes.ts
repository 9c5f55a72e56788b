import { route, type RouteConfig } from "@react-router/dev/routes";

/** Every URL of the site. What a screen shows is in its search parameters. */
export default [
  route("/", "routes/dashboard.tsx"),
  route("dashboard", "routes/dashboard.tsx", { id: "dashboard-alias" }),
  route("signup", "routes/signup.tsx"),
  route("signmeup", "routes/signmeup.ts"),
  route("login", "routes/login.tsx"),
  route("account-data", "routes/account-data.ts"),
  route("favourites", "routes/favourites.ts"),
  route("kept/:key?", "routes/kept.tsx"),
  route("positions", "routes/positions.ts"),
  route("media/:name", "routes/media.ts"),
  route("avatars/:hash", "routes/avatars.ts"),
  route("demo-gateway/methods", "routes/demo-gateway/methods.ts"),
  route("demo-gateway/card/:id", "routes/demo-gateway/card.tsx"),
  route("demo-gateway/authenticate/:id", "routes/demo-gateway/authenticate.tsx"),
  route("demo-gateway/debit/:id", "routes/demo-gateway/debit.tsx"),
  route("webhooks/:sender", "routes/webhooks.ts"),
  route("api/*", "routes/api.ts"),
  route("payment-return", "routes/payment-return.ts"),
  route("desk", "routes/desk.tsx"),
  route("desk/drafts/:draft/:name", "routes/desk-draft-media.ts"),
  route("desk/passkeys", "routes/desk-passkeys.ts"),
  route("healthz", "routes/healthz.ts"),
  route("readyz", "routes/readyz.ts"),
  route("*", "routes/not-found.tsx"),
] satisfies RouteConfig;
