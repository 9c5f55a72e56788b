import type { ReactNode } from "react";
import { Form, href, isRouteErrorResponse, Link, Outlet } from "react-router";

import buttons from "../../components/button.module.css";
import { Logo, PlainFrame } from "../../components/page-frame.tsx";
import { Problem, toProblem } from "../../components/problem.tsx";
import { SchemeSwitch } from "../../components/scheme-switch.tsx";
import { readRetryAfter } from "../../forms/answer.ts";
import { runIntent } from "../../forms/intents.ts";
import { knownSenderMiddleware } from "../../frame/middleware/csrf.ts";
import { requireServices } from "../../frame/middleware/guards.ts";
import { noIndexMiddleware } from "../../frame/middleware/no-index.ts";
import { changeScheme } from "../../frame/scheme.ts";
import type { Route } from "./+types/layout.ts";
import { CompanyPage } from "./company-page.tsx";
import { answerCode, contactMiddleware, findContact, logOut, requestCode, switchCompany, useLink } from "./contact.ts";
import { LogInForm } from "./log-in-forms.tsx";
import styles from "./company.module.css";

/** No page of a member's leads here. */
export const middleware = [knownSenderMiddleware, noIndexMiddleware, contactMiddleware];

export { readRetryAfter as headers };

export function loader({ context }: Route.LoaderArgs) {
  const { name: productName } = requireServices(context).product;
  return { productName, hasSession: findContact(context) !== undefined };
}

export const action = (args: Route.ActionArgs) =>
  runIntent(args, {
    scheme: changeScheme,
    "company-log-in": requestCode,
    "company-code": answerCode,
    "company-link": useLink,
    "company-switch": switchCompany,
    "company-log-out": logOut,
  });

export default function CompanyLayout({ loaderData, actionData }: Route.ComponentProps) {
  return (
    <Frame {...loaderData}>
      <Outlet context={actionData ?? undefined} />
    </Frame>
  );
}

/** Without a session, shows the log-in in place of the screen. */
export function ErrorBoundary({ error, loaderData, actionData }: Route.ErrorBoundaryProps) {
  const status = isRouteErrorResponse(error) ? error.status : undefined;
  const isLogIn = status === 403 && loaderData?.hasSession === false;
  if (!loaderData || (!isLogIn && status !== 404)) return <Problem {...toProblem(status, error)} />;
  return (
    <Frame {...loaderData}>
      {isLogIn ? (
        <LogInForm answer={actionData ?? undefined} />
      ) : (
        <CompanyPage title="We couldn't find that">
          <p>There's nothing at this address. It may be mistyped.</p>
          <p>
            <Link className={buttons.button} to={href("/company")}>
              Go to your company's page
            </Link>
          </p>
        </CompanyPage>
      )}
    </Frame>
  );
}

type FrameProps = { productName: string; hasSession: boolean; children: ReactNode };

function Frame({ productName, hasSession, children }: FrameProps) {
  return (
    <PlainFrame
      className={styles.page}
      mainClassName={styles.main}
      logo={
        <Logo
          name={
            <>
              {productName} <span className={styles.forCompanies}>for companies</span>
            </>
          }
          to={href("/company")}
        />
      }
      tools={
        <>
          <SchemeSwitch action={href("/company")} />
          {hasSession && (
            <Form method="post" action={href("/company")} reloadDocument>
              <input type="hidden" name="intent" value="company-log-out" />
              <button className={buttons.quiet}>Log Out</button>
            </Form>
          )}
        </>
      }
      footer={
        <footer className={styles.footer}>
          <Link to={href("/company/what-your-employer-sees")}>What your employer sees</Link>{" "}
          <Link to={href("/privacy")}>Privacy</Link> <Link to={href("/terms")}>Terms</Link>
        </footer>
      }
    >
      {children}
    </PlainFrame>
  );
}
