import { data } from "react-router";

import { displayName } from "../../server/accounts/rules.ts";
import { changeScheme } from "../forms/change-scheme.ts";
import { runIntent } from "../forms/intents.ts";
import { requireMember, requireRooms } from "../middleware/guards.ts";
import { Item } from "./dashboard/item.tsx";
import { Landing } from "./dashboard/landing.tsx";
import { List } from "./dashboard/list.tsx";
import { Locked } from "./dashboard/locked.tsx";
import { logOut } from "./dashboard/log-out.ts";
import { Missing } from "./dashboard/missing.tsx";
import { findScreen, type Screen } from "./dashboard/screen.ts";
import { Search } from "./dashboard/search.tsx";
import { Shell } from "./dashboard/shell.tsx";
import { parseView } from "./dashboard/view.ts";
import type { Route } from "./+types/dashboard.ts";

export async function loader({ context, url }: Route.LoaderArgs) {
  const { product, membership, catalogue } = requireRooms(context);
  const member = requireMember(context, url);
  const house = {
    productName: product.name,
    agency: product.agency,
    memberName: `${displayName(member.firstName)} ${displayName(member.lastName)}`,
  };

  const access = await membership.findAccess(member.id);
  if (!access.isActive) return answer(house, { name: "locked", contactUrl: product.contactUrl });
  const view = parseView(url.searchParams);
  if (view.name === "bad") return answer(house, { name: "missing", sentence: view.sentence }, 400);
  return answer(
    house,
    findScreen(catalogue, view) ?? {
      name: "missing",
      sentence: "It may have been withdrawn, or the address has a slip in it.",
    },
  );
}

export type House = { productName: string; agency: { name: string; url: string }; memberName: string };

/** Everything that a member may see in place of the dashboard. */
export type DashboardScreen = Screen | { name: "locked"; contactUrl: string } | { name: "missing"; sentence: string };

function answer(house: House, screen: DashboardScreen, status = screen.name === "missing" ? 404 : 200) {
  return data({ house, screen }, { status });
}

export const action = (args: Route.ActionArgs) => runIntent(args, { scheme: changeScheme, "log-out": logOut });

export default function Dashboard({ loaderData: { house, screen } }: Route.ComponentProps) {
  return (
    <Shell house={house} screen={screen}>
      <ScreenContent screen={screen} />
    </Shell>
  );
}

function ScreenContent({ screen }: { screen: DashboardScreen }) {
  switch (screen.name) {
    case "locked":
      return <Locked contactUrl={screen.contactUrl} />;
    case "landing":
      return <Landing />;
    case "list":
      return <List {...screen} />;
    case "item":
      return <Item {...screen} />;
    case "search":
      return <Search {...screen} />;
    case "missing":
      return <Missing sentence={screen.sentence} />;
  }
}
