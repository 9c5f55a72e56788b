import type { ReactNode } from "react";
import { data, Form, href, isRouteErrorResponse, Outlet, useLocation } from "react-router";

import { describeActs } from "../../../server/acts/acts.ts";
import buttons from "../../components/button.module.css";
import { TabLink } from "../../components/links.tsx";
import { SkipLink } from "../../components/page-frame.tsx";
import { Problem, toProblem } from "../../components/problem.tsx";
import { SchemeSwitch } from "../../components/scheme-switch.tsx";
import { readRetryAfter } from "../../forms/answer.ts";
import { runIntent } from "../../forms/intents.ts";
import { knownSenderMiddleware } from "../../middleware/csrf.ts";
import { requireServices } from "../../middleware/guards.ts";
import { noIndexMiddleware } from "../../middleware/no-index.ts";
import { changeScheme } from "../../scheme.ts";
import type { Route } from "./+types/layout.ts";
import { flashCookie, unsentActCookie } from "./cookies.ts";
import { DeskLogo, DeskPage } from "./desk-page.tsx";
import { healthScreens } from "./health-parts.tsx";
import { LogInPage } from "./log-in-page.tsx";
import { acceptInvitation, findInvitation, logIn, logOut, showSecret } from "./log-in.ts";
import { findVisitor, operatorMiddleware, wallMiddleware } from "./operator.ts";
import type { Desk } from "./use-desk.ts";
import styles from "./desk.module.css";

/** The desk, where operators answer members and see how everything is: its wall, session, frame and log-in. No member's page leads here. */
export const middleware = [wallMiddleware, knownSenderMiddleware, noIndexMiddleware, operatorMiddleware];

export { readRetryAfter as headers };

export async function loader({ request, context, url }: Route.LoaderArgs) {
  const services = requireServices(context);
  const productName = services.product.name;
  const visitor = findVisitor(context);
  const unsent = unsentActCookie.read(request, { url, services });
  if (!visitor) {
    const desk: Desk = { productName, operator: undefined, acts: {}, flash: undefined, unsent: undefined };
    return data({ ...desk, wasTyped: unsent !== undefined, invitation: await findInvitation(services, url) });
  }
  const { name, role } = visitor.operator;
  const flash = flashCookie.read(request, { url, services });
  const desk: Desk = { productName, operator: { name, role }, acts: describeActs(role), flash, unsent };
  const headers = new Headers();
  // Each is shown once.
  if (flash) headers.append("Set-Cookie", flashCookie.clear({ url }));
  if (unsent) headers.append("Set-Cookie", unsentActCookie.clear({ url }));
  return data({ ...desk, wasTyped: false, invitation: undefined }, { headers });
}

/** The forms of the frame and of the log-in. */
export const action = (args: Route.ActionArgs) =>
  runIntent(args, {
    scheme: changeScheme,
    "log-in": logIn,
    "show-secret": showSecret,
    "accept-invitation": acceptInvitation,
    "log-out": logOut,
  });

export default function DeskLayout({ loaderData, actionData }: Route.ComponentProps) {
  if (!loaderData.operator) return <LogInPage {...loaderData} answer={actionData ?? undefined} />;
  return (
    <Frame productName={loaderData.productName} operator={loaderData.operator}>
      <Outlet />
    </Frame>
  );
}

/** A screen that needs a session shows the log-in without one. */
export function ErrorBoundary({ error, loaderData, actionData }: Route.ErrorBoundaryProps) {
  const status = isRouteErrorResponse(error) ? error.status : undefined;
  if (loaderData && !loaderData.operator && status === 403) {
    return <LogInPage {...loaderData} answer={actionData ?? undefined} />;
  }
  if (!loaderData?.operator || status !== 404) return <Problem {...toProblem(status, error)} />;
  return (
    <Frame productName={loaderData.productName} operator={loaderData.operator}>
      <DeskPage title="We couldn't find that">
        <p>There is nothing at this address. It may have been erased, or the address is mistyped.</p>
      </DeskPage>
    </Frame>
  );
}

/** The sections of the desk, each with the addresses of its screens; the first is what its tab opens. */
const sections: { label: string; paths: string[] }[] = [
  { label: "Today", paths: [href("/desk")] },
  { label: "Members", paths: [href("/desk/members"), "/desk/sign-ups"] },
  { label: "Companies", paths: [href("/desk/companies")] },
  { label: "Codes", paths: [href("/desk/codes")] },
  { label: "Health", paths: healthScreens.map(([path]) => path) },
  { label: "Content", paths: [href("/desk/content"), href("/desk/drafts")] },
  { label: "Audit log", paths: [href("/desk/audit")] },
  { label: "Your access", paths: [href("/desk/access")] },
];

type FrameProps = { productName: string; operator: NonNullable<Desk["operator"]>; children: ReactNode };

function Frame({ productName, operator, children }: FrameProps) {
  const { pathname } = useLocation();
  const isIn = (path: string) => pathname === path || (path !== href("/desk") && pathname.startsWith(`${path}/`));
  return (
    <>
      <SkipLink />
      <header className={styles.bar}>
        <DeskLogo productName={productName} />
        <nav aria-label="Desk" className={styles.tabs}>
          <ul className={styles.tabList}>
            {sections.map(({ label, paths }) => (
              <li key={label}>
                <TabLink to={paths[0] ?? ""} aria-current={paths.some(isIn) ? "page" : undefined}>
                  {label}
                </TabLink>
              </li>
            ))}
          </ul>
        </nav>
        <div className={styles.tools}>
          <span className={styles.who}>
            {operator.name}, {operator.role}
          </span>
          <SchemeSwitch action={href("/desk")} />
          <Form method="post" action={href("/desk")} reloadDocument>
            <input type="hidden" name="intent" value="log-out" />
            <button className={buttons.quiet}>Log Out</button>
          </Form>
        </div>
      </header>
      <main id="main" className={styles.main}>
        {children}
      </main>
    </>
  );
}
