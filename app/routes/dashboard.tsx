import { data } from "react-router";

import { displayName } from "../../server/accounts/rules.ts";
import { changeScheme } from "../forms/change-scheme.ts";
import { runIntent } from "../forms/intents.ts";
import { requireMember, requireRooms } from "../middleware/guards.ts";
import { pack, unpack } from "../packed.ts";
import { FavouriteList, Favourites } from "./dashboard/favourites.tsx";
import { findFavouritesScreen } from "./dashboard/favourites-screen.ts";
import { Item } from "./dashboard/item.tsx";
import { findKept } from "./dashboard/kept.ts";
import { Landing } from "./dashboard/landing.tsx";
import { List } from "./dashboard/list.tsx";
import { Locked } from "./dashboard/locked.tsx";
import { logOut } from "./dashboard/log-out.ts";
import { Missing } from "./dashboard/missing.tsx";
import { Receipt } from "./dashboard/receipt.tsx";
import { findReceiptScreen, type ReceiptScreen } from "./dashboard/receipt-screen.ts";
import { findScreen, type Screen } from "./dashboard/screen.ts";
import { Search } from "./dashboard/search.tsx";
import { Shell } from "./dashboard/shell.tsx";
import { Topics } from "./dashboard/topics.tsx";
import { parseView, viewPath } from "./dashboard/view.ts";
import { HeartForm, KeptContext } from "../ui/heart.tsx";
import type { Route } from "./+types/dashboard.ts";

export async function loader({ context, url }: Route.LoaderArgs) {
  const rooms = requireRooms(context);
  const { product, membership } = rooms;
  const member = requireMember(context, url);
  const house = {
    productName: product.name,
    agency: product.agency,
    memberName: `${displayName(member.firstName)} ${displayName(member.lastName)}`,
  };

  const { isActive } = await membership.findAccess(member.id);
  const view = parseView(url.searchParams);
  const asked = view.name === "receipt" && { memberId: member.id, number: view.number, isActive };
  const receipt = asked && (await findReceiptScreen(rooms, asked));
  if (receipt) return answer(house, receipt);
  if (!isActive) return answer(house, { name: "locked", contactUrl: product.contactUrl });
  if (view.name === "receipt") return answer(house, { name: "missing", sentence: MISSING }, { status: 404 });
  if (view.name === "bad") return answer(house, { name: "missing", sentence: view.sentence }, { status: 400 });
  const isFavourites = view.name === "favourites";
  const screen = isFavourites ? await findFavouritesScreen(rooms, member.id, view) : findScreen(rooms, view);
  if (!screen) return answer(house, { name: "missing", sentence: MISSING }, { status: 404 });
  return answer(house, screen, { kept: await findKept(rooms, member.id, screen), from: viewPath(view) });
}

const MISSING = "It may have been withdrawn, or the address has a slip in it.";

export type House = { productName: string; agency: { name: string; url: string }; memberName: string };

/** Everything that a member may see in place of the dashboard. */
export type DashboardScreen =
  | Screen
  | ReceiptScreen
  | { name: "locked"; contactUrl: string }
  | { name: "missing"; sentence: string };

type AnswerOptions = { status?: number; kept?: string[]; from?: string };

/** `kept` are the filled hearts, `from` is the page they come back to without script. */
function answer(house: House, screen: DashboardScreen, { status = 200, kept = [], from = "/" }: AnswerOptions = {}) {
  return data({ house, screen: pack(screen), kept, from }, { status });
}

export const action = (args: Route.ActionArgs) => runIntent(args, { scheme: changeScheme, "log-out": logOut });

export default function Dashboard({ loaderData: { house, kept, from, ...loaderData } }: Route.ComponentProps) {
  const screen = unpack<DashboardScreen>(loaderData.screen);
  return (
    <KeptContext value={new Set(kept)}>
      <Shell house={house} screen={screen}>
        <ScreenContent screen={screen} productName={house.productName} />
      </Shell>
      <HeartForm from={from} />
    </KeptContext>
  );
}

function ScreenContent({ screen, productName }: { screen: DashboardScreen; productName: string }) {
  switch (screen.name) {
    case "locked":
      return <Locked contactUrl={screen.contactUrl} />;
    case "landing":
      return <Landing />;
    case "list":
      return <List {...screen} />;
    case "item":
      return <Item {...screen} />;
    case "favourites":
      return <Favourites {...screen} />;
    case "favourite-list":
      return <FavouriteList {...screen} />;
    case "topics":
      return <Topics {...screen} />;
    case "search":
      return <Search {...screen} />;
    case "receipt":
      return <Receipt {...screen} productName={productName} />;
    case "missing":
      return <Missing sentence={screen.sentence} />;
  }
}
