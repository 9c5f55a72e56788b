import { lazy, Suspense } from "react";
import { data, redirectDocument } from "react-router";
import { useHydrated } from "remix-utils/use-hydrated";

import { displayFullName } from "../../../server/members/accounts/profile-fields.ts";
import { readRetryAfter } from "../../forms/answer.ts";
import { callerContext } from "../../frame/context.ts";
import { changeScheme } from "../../frame/scheme.ts";
import { createLateComponent } from "../../frame/late-component.tsx";
import { runIntent } from "../../forms/intents.ts";
import { sendOrKeep } from "../../forms/send-or-keep.ts";
import { requireMember, requireServices } from "../../frame/middleware/guards.ts";
import { href, itemPath } from "../../frame/paths.ts";
import { ProgressContext } from "../../components/card.tsx";
import { FavouriteForm } from "../../components/favourite-button.tsx";
import type { Route } from "./+types/dashboard.ts";
import { findAccountScreen, leadToConfirmation } from "./dashboard/account/account-screen.ts";
import { Account } from "./dashboard/account/account.tsx";
import { accountForms, logOut } from "./dashboard/account/actions.ts";
import { unanswered } from "./dashboard/account/unanswered.ts";
import { FavouriteList, Favourites } from "./dashboard/favourites.tsx";
import { changeStarted } from "./dashboard/go-on.ts";
import { HelpList } from "./dashboard/help-list.tsx";
import { Help } from "./dashboard/help.tsx";
import { Item } from "./dashboard/item.tsx";
import { Landing } from "./dashboard/landing.tsx";
import { List } from "./dashboard/list.tsx";
import { Locked } from "./dashboard/locked.tsx";
import { Missing } from "./dashboard/missing.tsx";
import { findScreen, type Screen } from "./dashboard/screen.ts";
import { Search } from "./dashboard/search.tsx";
import { takeOffer } from "./dashboard/passkey-cookie.ts";
import { Topics } from "./dashboard/topics.tsx";
import { findHeading, Shell, type Site } from "./dashboard/shell.tsx";
import { findMovedPath, parseView, viewPath } from "./dashboard/view.ts";

/** Few members ever open one. */
const Receipt = createLateComponent(
  "receipt",
  async () => (await import("./dashboard/receipt-sheet.tsx")).ReceiptSheet,
);

/** Its script is fetched where it may be shown. */
const PasskeyOffer = lazy(async () => ({ default: (await import("./dashboard/passkey-offer.tsx")).PasskeyOffer }));

export function headers(args: Route.HeadersArgs): HeadersInit {
  const keptFor = args.loaderHeaders.get("X-Kept-For");
  const given = new Headers(readRetryAfter(args));
  if (keptFor) given.set("X-Kept-For", keptFor);
  return given;
}

export async function loader(args: Route.LoaderArgs) {
  const { context, url } = args;
  leadToConfirmation(url);
  const movedPath = findMovedPath(url.searchParams);
  if (movedPath !== undefined) throw redirectDocument(movedPath, 301);
  const services = requireServices(context);
  const { product, membership } = services;
  const member = requireMember(context, url);
  const access = await membership.findAccess(member.id);
  const { isActive } = access;
  const site = {
    productName: product.name,
    origin: url.origin,
    agency: product.agency,
    memberId: member.id,
    memberName: displayFullName(member),
    avatar: context.get(callerContext).avatar,
    sections: services.catalogue.listSections(),
    hasAwake: services.catalogue.listAwake().length > 0,
    hasHelp: services.catalogue.listHelp().length > 0,
  };

  const opened = await findAccountScreen(args, { member, access });
  const view = parseView(url.searchParams);
  // Under My Account nothing plays.
  if (opened && "isPlaying" in view) view.isPlaying = false;
  const { screen, status = 200, favourited = [], progress = {} } = await findScreen(services, view, { member, access });
  const from = viewPath(view);
  const offer = takeOffer(args, screen.name === "landing" && !opened);
  const heading = findHeading(screen);
  const page = {
    site,
    screen,
    heading,
    favourited,
    progress,
    from,
    account: opened?.account,
    offersPasskey: offer.isMade,
  };
  // The browser erases its stored pages once they are another member's, or the membership has ended
  // (public/service-worker.js).
  const keptFor = { "X-Kept-For": isActive ? services.keptFor(member.id) : "none" };
  return data(page, { status, headers: { ...keptFor, ...offer.headers, ...opened?.headers } });
}

export const action = (args: Route.ActionArgs) =>
  runIntent(args, {
    scheme: changeScheme,
    "log-out": logOut,
    forget: changeStarted,
    ...accountForms,
  });

export const clientAction = (args: Route.ClientActionArgs) => sendOrKeep(args, unanswered);

export default function Dashboard({ loaderData, actionData }: Route.ComponentProps) {
  const { site, screen, heading, favourited, progress, from, account, offersPasskey } = loaderData;
  const answer = actionData ?? undefined;
  const cover = account && (answer && "form" in answer ? "Error: My Account" : "My Account");
  return (
    <>
      <Shell site={site} screen={screen} heading={heading} path={from} cover={cover}>
        {screen.name === "locked" ? (
          <Locked {...screen} />
        ) : screen.name === "landing" ? (
          <>
            <Landing {...screen} sections={site.sections} />
            {offersPasskey && <LateOffer />}
          </>
        ) : (
          <FavouriteForm from={from} favourited={favourited}>
            <ProgressContext value={progress}>
              <ScreenContent screen={screen} site={site} />
            </ProgressContext>
          </FavouriteForm>
        )}
      </Shell>
      {account && <Account account={account} answer={answer} avatar={site.avatar} />}
    </>
  );
}

function LateOffer() {
  if (!useHydrated()) return null;
  return (
    <Suspense>
      <PasskeyOffer />
    </Suspense>
  );
}

type ContentProps = { screen: Exclude<Screen, { name: "locked" | "landing" }>; site: Site };

function ScreenContent({ screen, site }: ContentProps) {
  switch (screen.name) {
    case "list":
      return <List {...screen} />;
    case "item":
      return <Item {...screen} source={site.origin + href(itemPath(screen.item))} />;
    case "favourites":
      return <Favourites {...screen} />;
    case "favourite-list":
      return <FavouriteList key={`${screen.section} ${screen.page}`} {...screen} />;
    case "topics":
      return <Topics {...screen} />;
    case "help-list":
      return <HelpList {...screen} />;
    case "help":
      return <Help {...screen} />;
    case "search":
      return <Search {...screen} />;
    case "receipt":
      return <Receipt {...screen} />;
    case "missing":
      return <Missing sentence={screen.sentence} />;
  }
}
