import { type ReactNode, useContext, useEffect } from "react";
import {
  isRouteErrorResponse,
  Links,
  Outlet,
  Scripts,
  ScrollRestoration,
  type ShouldRevalidateFunctionArgs,
  useNavigation,
  useRouteLoaderData,
} from "react-router";
import { useHydrated } from "remix-utils/use-hydrated";

import type { Route } from "./+types/root.ts";
import { readScheme } from "./frame/cookies.ts";
import { useFocusAfterNavigation } from "./frame/focus.ts";
import { NO_ANSWER } from "./forms/send-or-keep.ts";
import { csrfMiddleware } from "./frame/middleware/csrf.ts";
import { documentRedirectMiddleware } from "./frame/middleware/document-redirect.ts";
import { requireServices } from "./frame/middleware/guards.ts";
import { servicesMiddleware } from "./frame/middleware/services.ts";
import { securityHeadersMiddleware } from "./frame/middleware/security-headers.ts";
import { sessionMiddleware } from "./frame/middleware/session.ts";
import { href } from "./frame/paths.ts";
import { PlayingOn } from "./player/playing-on.tsx";
import { colorSchemes, SchemeContext } from "./frame/scheme.ts";
import "./styles/base.css";
import "./styles/tokens.css";
import { fontPreloads } from "./components/font-preloads.tsx";
import { PendingBar } from "./components/page-frame.tsx";
import { Problem, toProblem } from "./components/problem.tsx";

export const middleware = [
  servicesMiddleware,
  securityHeadersMiddleware,
  csrfMiddleware,
  sessionMiddleware,
  documentRedirectMiddleware,
];

/** No `links` of the route: those are compared at each request, and these never change. */
const everyLink = (
  <>
    {fontPreloads}
    <link rel="icon" href={href("/favicon.svg")} type="image/svg+xml" />
    <link rel="icon" href={href("/favicon.ico")} sizes="32x32" />
    <link rel="apple-touch-icon" href={href("/apple-touch-icon.png")} />
    <link rel="manifest" href={href("/manifest.webmanifest")} />
  </>
);

export function loader({ request, context }: Route.LoaderArgs) {
  return { scheme: readScheme(request) ?? ("system" as const), productName: requireServices(context).product.name };
}

/** Only the scheme switch changes what the loader returns. */
export function shouldRevalidate({ formData, actionStatus }: ShouldRevalidateFunctionArgs): boolean {
  return formData?.get("intent") === "scheme" && actionStatus !== NO_ANSWER;
}

export function Layout({ children }: { children: ReactNode }) {
  const given = useContext(SchemeContext);
  const scheme = useRouteLoaderData<typeof loader>("root")?.scheme ?? given ?? "system";
  const isHydrated = useHydrated();
  useEffect(() => {
    // Automated tests wait for this: script handles clicks and submits, and what needs script is visible.
    if (isHydrated) document.documentElement.dataset.enhanced = "";
  }, [isHydrated]);
  return (
    <html lang="en-GB" data-scheme={scheme}>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="description" content="Videos, articles and webinars that help people who sleep badly." />
        <meta name="color-scheme" content={colorSchemes[scheme]} />
        <meta name="theme-color" content={scheme === "dawn" ? "#faf6ee" : "#0d1420"} />
        {everyLink}
        <Links />
      </head>
      <body>
        <SchemeContext value={scheme}>{children}</SchemeContext>
        <PlayingOn />
        <ScrollRestoration />
        <Scripts />
      </body>
    </html>
  );
}

export default function App() {
  useFocusAfterNavigation();
  const { state } = useNavigation();
  return (
    <>
      <PendingBar isPending={state === "loading"} />
      <Outlet />
    </>
  );
}

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  const status = isRouteErrorResponse(error) ? error.status : undefined;
  return <Problem {...toProblem(status, error)} />;
}
