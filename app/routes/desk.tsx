import { data } from "react-router";

import { changeScheme } from "../scheme.ts";
import { describeActs } from "../../server/acts/acts.ts";
import { textOf } from "../forms/text-of.ts";
import { readForm, runIntent } from "../forms/intents.ts";
import { retryAfterOf } from "../forms/answer.ts";
import { knownSenderMiddleware } from "../middleware/csrf.ts";
import { requireServices } from "../middleware/guards.ts";
import { framingContext } from "../middleware/security-headers.ts";
import type { Route } from "./+types/desk.ts";
import { AccessPage } from "./desk/access-page.tsx";
import { isAct, runDeskAct } from "./desk/acts.ts";
import { AuditPage } from "./desk/audit.tsx";
import { ContentPage, DraftsPage } from "./desk/content-page.tsx";
import { CodePage, CodesPage } from "./desk/codes-page.tsx";
import { CompaniesPage, CompanyPage } from "./desk/companies-page.tsx";
import { flashCookie, unsentActCookie } from "./desk/cookies.ts";
import { DeskLayout } from "./desk/desk-layout.tsx";
import { DoorPage } from "./desk/door-page.tsx";
import { acceptInvitation, findDoorScreen, keepDoorKey, logIn, logOut, showSecret } from "./desk/door.ts";
import { MemberPage, SignUpPage } from "./desk/member-page.tsx";
import { MembersPage } from "./desk/members-page.tsx";
import { EmailsPage } from "./desk/emails-page.tsx";
import { FiguresPage } from "./desk/figures-page.tsx";
import { CataloguePage, HealthPage, JobsPage } from "./desk/health-page.tsx";
import { askParts } from "./desk/health.ts";
import { findVisitor, operatorMiddleware } from "./desk/operator.ts";
import { PreviewPage } from "./desk/preview-page.tsx";
import { type DeskScreen, findDeskScreen } from "./desk/screen.ts";
import { parseView, readSubject } from "./desk/view.ts";
import { WebhooksPage } from "./desk/webhooks-page.tsx";

/** The desk: where operators answer members, and see how everything is. No page of a member's leads here. */
export const middleware = [knownSenderMiddleware, operatorMiddleware];

export function headers(args: Route.HeadersArgs): HeadersInit {
  const given = new Headers(retryAfterOf(args));
  given.set("X-Robots-Tag", "noindex, nofollow");
  return given;
}

export async function loader(args: Route.LoaderArgs) {
  const { request, context, url } = args;
  const services = requireServices(context);
  const productName = services.product.name;
  const visitor = findVisitor(context);
  const at = { url, services };
  const unsent = unsentActCookie.read(request, at);
  if (!visitor) {
    keepDoorKey(args);
    const desk = { productName, operator: undefined, acts: {}, unsent: undefined, flash: undefined, view: undefined };
    return data({ desk, door: await findDoorScreen(args), wasTyped: unsent !== undefined, screen: undefined });
  }
  const screen = await findDeskScreen(args, visitor);
  if (screen.name === "preview") context.set(framingContext, "frames");
  const { name, role } = visitor.operator;
  const flash = flashCookie.read(request, at);
  const acts = describeActs(role);
  const desk = { productName, operator: { name, role }, acts, unsent, flash, view: parseView(url.searchParams).name };
  const shown = new Headers();
  // Each is shown once.
  if (flash) shown.append("Set-Cookie", flashCookie.clear({ url }));
  if (unsent) shown.append("Set-Cookie", unsentActCookie.clear({ url }));
  const status = screen.name === "missing" ? 404 : 200;
  return data({ desk, door: undefined, wasTyped: false, screen }, { status, headers: shown });
}

const others = {
  "ask-parts": askParts,
  scheme: changeScheme,
  "log-in": logIn,
  "show-secret": showSecret,
  "accept-invitation": acceptInvitation,
  "log-out": logOut,
};

export async function action(args: Route.ActionArgs) {
  const form = await readForm(args.request.clone());
  const intent = textOf(form, "intent");
  return isAct(intent) ? runDeskAct(args, readSubject(args.url.searchParams), form) : runIntent(args, others);
}

export default function Desk({ loaderData }: Route.ComponentProps) {
  const { desk, door, screen, wasTyped } = loaderData;
  if (door) return <DoorPage screen={door} productName={desk.productName} wasTyped={wasTyped} />;
  return (
    <DeskLayout {...desk} title={screen.title}>
      <ScreenContent screen={screen} />
    </DeskLayout>
  );
}

function ScreenContent({ screen }: { screen: DeskScreen }) {
  switch (screen.name) {
    case "members":
      return <MembersPage {...screen} />;
    case "member":
      return <MemberPage {...screen} />;
    case "sign-up":
      return <SignUpPage {...screen} />;
    case "health":
      return <HealthPage {...screen} />;
    case "emails":
      return <EmailsPage {...screen} />;
    case "webhooks":
      return <WebhooksPage {...screen} />;
    case "jobs":
      return <JobsPage {...screen} />;
    case "catalogue":
      return <CataloguePage {...screen} />;
    case "figures":
      return <FiguresPage {...screen} />;
    case "companies":
      return <CompaniesPage {...screen} />;
    case "company":
      return <CompanyPage {...screen} />;
    case "codes":
      return <CodesPage {...screen} />;
    case "code":
      return <CodePage {...screen} />;
    case "audit":
      return <AuditPage {...screen} />;
    case "content":
      return <ContentPage {...screen} />;
    case "drafts":
      return <DraftsPage {...screen} />;
    case "preview":
      return <PreviewPage {...screen} />;
    case "access":
      return <AccessPage {...screen} />;
    case "missing":
      return <p>There is nothing at this address. It may have been erased, or the address is mistyped.</p>;
  }
}
