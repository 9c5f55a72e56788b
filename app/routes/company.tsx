import { data } from "react-router";

import { isRefusal, retryAfterOf } from "../forms/answer.ts";
import { runIntent } from "../forms/intents.ts";
import { requireServices } from "../middleware/guards.ts";
import { changeScheme } from "../scheme.ts";
import type { Route } from "./+types/company.ts";
import { Agreed, CompanyHome } from "./company/company-home.tsx";
import { CompanyLayout } from "./company/company-layout.tsx";
import { type CompanyScreen, findCompanyScreen } from "./company/company-screen.ts";
import {
  answerCode,
  type CompanyAnswer,
  contactMiddleware,
  findContact,
  logOut,
  requestCode,
  switchCompany,
  useLink,
} from "./company/contact.ts";
import { EmployerSees } from "./company/employer-sees.tsx";
import { Invoice } from "./company/invoice.tsx";
import { BadLink, CodeForm, LinkForm, LogInForm } from "./company/log-in-forms.tsx";
import { Poster } from "./company/poster.tsx";

/** The page of a company's contact, and the public page about what it shows. No page of a member's leads here. */
export const middleware = [contactMiddleware];

export function headers(args: Route.HeadersArgs): HeadersInit {
  const given = new Headers(retryAfterOf(args));
  given.set("X-Robots-Tag", args.loaderHeaders.get("X-Robots-Tag") ?? "noindex, nofollow");
  return given;
}

export async function loader(args: Route.LoaderArgs) {
  const screen = await findCompanyScreen(args);
  const { name: productName } = requireServices(args.context).product;
  const status = screen.name === "missing" || screen.name === "bad-link" ? 404 : 200;
  const robots = screen.name === "sees" ? "all" : "noindex, nofollow";
  const hasSession = findContact(args.context) !== undefined;
  return data({ productName, hasSession, screen }, { status, headers: { "X-Robots-Tag": robots } });
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

export default function Company({ loaderData, actionData }: Route.ComponentProps) {
  const { productName, hasSession, screen } = loaderData;
  const answer = actionData ?? undefined;
  const isRefused = answer !== undefined && isRefusal(answer);
  return (
    <CompanyLayout
      title={screen.title}
      isRefused={isRefused}
      productName={productName}
      hasSession={hasSession}
      isSheet={screen.name === "poster" || screen.name === "invoice"}
    >
      <ScreenContent screen={screen} answer={answer} productName={productName} />
    </CompanyLayout>
  );
}

type ContentProps = { screen: CompanyScreen; answer: CompanyAnswer | undefined; productName: string };

function ScreenContent({ screen, answer, productName }: ContentProps) {
  switch (screen.name) {
    case "log-in":
      return <LogInForm answer={answer} />;
    case "code":
      return <CodeForm answer={answer} />;
    case "link":
      return <LinkForm token={screen.token} />;
    case "bad-link":
      return <BadLink />;
    case "agreed":
      return <Agreed {...screen} />;
    case "home":
      return <CompanyHome {...screen} />;
    case "poster":
      return <Poster {...screen} productName={productName} />;
    case "invoice":
      return <Invoice {...screen} />;
    case "sees":
      return <EmployerSees {...screen} productName={productName} />;
    case "missing":
      return <p>There is nothing at this address. It may be mistyped.</p>;
  }
}
