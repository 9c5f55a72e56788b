import type { ReactNode } from "react";
import { data, Form, href, isRouteErrorResponse, Link, Outlet } from "react-router";

import buttons from "../../components/button.module.css";
import { Icon } from "../../components/icons.tsx";
import { closeMenu, TabLink } from "../../components/links.tsx";
import { SkipLink } from "../../components/page-frame.tsx";
import { Problem, toProblem } from "../../components/problem.tsx";
import { SchemeSwitch } from "../../components/scheme-switch.tsx";
import { focusNext } from "../../frame/focus.ts";
import { readRetryAfter } from "../../forms/answer.ts";
import { runIntent } from "../../forms/intents.ts";
import { knownSenderMiddleware } from "../../frame/middleware/csrf.ts";
import { requireServices } from "../../frame/middleware/guards.ts";
import { noIndexMiddleware } from "../../frame/middleware/no-index.ts";
import { changeScheme } from "../../frame/scheme.ts";
import type { Route } from "./+types/layout.ts";
import { flashCookie, unsentActCookie } from "./cookies.ts";
import { DeskLogo, DeskPage } from "./desk-page.tsx";
import { Keys, KeysButton } from "./keys.tsx";
import { LogInPage } from "./log-in/log-in-page.tsx";
import { acceptInvitation, findInvitation, logIn, logOut, showSecret } from "./log-in/log-in.ts";
import { listTabs, type ScreenHandle, useCurrentTab } from "./navigation.ts";
import { findDeskCaller, operatorMiddleware } from "./operator.ts";
import type { Desk } from "./use-desk.ts";
import styles from "./layout.module.css";

/** The operators' desk: its access, session, frame and log-in. No member's page leads here. */
export const middleware = [operatorMiddleware, knownSenderMiddleware, noIndexMiddleware];

export { readRetryAfter as headers };

export async function loader({ request, context, url }: Route.LoaderArgs) {
  const services = requireServices(context);
  const productName = services.product.name;
  const caller = findDeskCaller(context);
  const unsent = unsentActCookie.read(request, { url, services });
  if (!caller) {
    const desk: Desk = { productName, operator: undefined, tabs: [], flash: undefined, unsent: undefined };
    return data({ ...desk, wasTyped: unsent !== undefined, invitation: await findInvitation(services, url) });
  }
  const { name, email, role } = caller.operator;
  // Only here: the server has each screen, while a browser has only those that it showed.
  const tabs = listTabs(import.meta.glob<ScreenHandle>("./screens/*.tsx", { eager: true, import: "handle" }));
  const flash = flashCookie.read(request, { url, services });
  const desk: Desk = { productName, operator: { name, email, role }, tabs, flash, unsent };
  const headers = new Headers();
  // Each is shown once.
  if (flash) headers.append("Set-Cookie", flashCookie.clear({ url }));
  if (unsent) headers.append("Set-Cookie", unsentActCookie.clear({ url }));
  return data({ ...desk, wasTyped: false, invitation: undefined }, { headers });
}

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
    <Frame {...loaderData} operator={loaderData.operator}>
      <Outlet />
    </Frame>
  );
}

/** Without a session, shows the log-in. */
export function ErrorBoundary({ error, loaderData, actionData }: Route.ErrorBoundaryProps) {
  const status = isRouteErrorResponse(error) ? error.status : undefined;
  if (loaderData && !loaderData.operator && status === 403) {
    return <LogInPage {...loaderData} answer={actionData ?? undefined} />;
  }
  const problem = toProblem(status, error);
  if (!loaderData?.operator) return <Problem {...problem} />;
  const { title, sentence } = status === 404 ? nothingHere : problem;
  return (
    <Frame {...loaderData} operator={loaderData.operator}>
      <DeskPage title={title}>
        <p>{sentence}</p>
        <p>
          <Link className={buttons.button} to={href("/desk")} reloadDocument>
            Go to Today
          </Link>
        </p>
      </DeskPage>
    </Frame>
  );
}

const nothingHere = {
  title: "We couldn't find that",
  sentence: "There's nothing at this address. It may have been erased, or the address is mistyped.",
};

type FrameProps = Pick<Desk, "productName" | "tabs"> & {
  operator: NonNullable<Desk["operator"]>;
  children: ReactNode;
};

function Frame({ productName, tabs, operator, children }: FrameProps) {
  return (
    <>
      <SkipLink />
      <header className={styles.bar}>
        <DeskLogo productName={productName} />{" "}
        <nav aria-label="Desk" className={styles.tabs}>
          <Tabs tabs={tabs} />
        </nav>
        <div className={styles.tools}>
          <Link className={buttons.round} to={href("/desk/members")} onClick={() => focusNext("#find-member")}>
            <Icon name="search" />
            <span className="visually-hidden">Find a member</span>
          </Link>{" "}
          <button type="button" className={`${buttons.pill} ${styles.menuButton}`} popoverTarget="desk-menu">
            <Icon name="menu" />
            <span>Menu</span>
          </button>
        </div>
        <Menu tabs={tabs} operator={operator} />
      </header>
      <main id="main" className={styles.main}>
        {children}
      </main>
      <Keys tabs={tabs} />
    </>
  );
}

/** A popover works without script. On a narrow screen it has the tabs, too. */
function Menu({ tabs, operator }: Pick<FrameProps, "tabs" | "operator">) {
  return (
    <div id="desk-menu" popover="auto" className={styles.menu}>
      <p className={styles.who}>{`${operator.name}, ${operator.role}`}</p>
      <nav aria-label="Menu" className={styles.menuTabs}>
        <Tabs tabs={tabs} />
      </nav>
      <SchemeSwitch action={href("/desk")} isInMenu />
      <KeysButton />
      <Form method="post" action={href("/desk")} reloadDocument>
        <input type="hidden" name="intent" value="log-out" />
        <button className={buttons.quiet}>Log Out</button>
      </Form>
    </div>
  );
}

function Tabs({ tabs }: Pick<FrameProps, "tabs">) {
  const current = useCurrentTab();
  return (
    <ul className={styles.tabList}>
      {tabs.map(({ label, path }) => (
        <li key={label}>
          <TabLink to={path} aria-current={label === current ? "page" : undefined} onClick={closeMenu}>
            {label}
          </TabLink>
        </li>
      ))}
    </ul>
  );
}
