import { useContext, useState } from "react";
import { Link, redirect } from "react-router";

import type { Card as CardContent } from "../../../server/content/cards.ts";
import { type ItemKind, itemKey, itemKinds, type ItemRef, kinds } from "../../../server/content/kinds.ts";
import type { Services } from "../../../server/services.ts";
import buttons from "../../components/button.module.css";
import { Card } from "../../components/card.tsx";
import { FavouriteButton, FavouritedContext } from "../../components/favourite-button.tsx";
import { BackLink } from "../../components/links.tsx";
import { EmptyScreen } from "../../components/empty-screen.tsx";
import { Pages } from "../../components/pages.tsx";
import { Slider } from "../../components/slider.tsx";
import { favouritesListPath, parseView, type Removed, removedPath, viewPath } from "./view.ts";
import styles from "./favourites.module.css";

/** All favourites of a member, a listing for each kind. */
export type FavouritesScreen = { name: "favourites"; listings: Listing[] };

type Listing = { kind: ItemKind; favourites: Favourite[]; total: number };

/** All favourites of one kind, page by page. */
export type FavouriteListScreen = {
  name: "favourite-list";
  kind: ItemKind;
  favourites: Favourite[];
  page: number;
  pageCount: number;
};

/** A favourite as the page shows it; one whose item was withdrawn has no card, and can still be removed. */
type Favourite = { id: number; card: CardContent | undefined };

/** A slider shows the newest few; all of them are behind "View all". */
const LISTING_SIZE = 12;
const PAGE_SIZE = 24;

export async function findFavourites(
  services: Services,
  memberId: number,
  removed?: Removed,
): Promise<FavouritesScreen> {
  const listings = itemKinds.map(async (kind) => {
    const { favourites, total } = await findPage(services, memberId, { kind, page: 1, size: LISTING_SIZE, removed });
    return { kind, favourites, total };
  });
  return { name: "favourites", listings: await Promise.all(listings) };
}

export async function findFavouriteList(
  services: Services,
  memberId: number,
  { kind, page, removed }: { kind: ItemKind; page: number; removed?: Removed | undefined },
): Promise<FavouriteListScreen> {
  const { favourites, total } = await findPage(services, memberId, { kind, page, size: PAGE_SIZE, removed });
  const pageCount = Math.max(1, Math.ceil(total / PAGE_SIZE));
  // The last favourite of the last page was removed, here or on another device.
  if (page > pageCount && favourites.length === 0) throw redirect(favouritesListPath(kind, pageCount));
  return { name: "favourite-list", kind, favourites, page, pageCount };
}

type PageQuery = { kind: ItemKind; page: number; size: number; removed?: Removed | undefined };

async function findPage({ favourites, catalogue }: Services, memberId: number, { kind, removed, ...page }: PageQuery) {
  const { itemIds, total } = await favourites.findPage(memberId, kind, page);
  // One that was removed keeps its place, unless it was saved again or its item was withdrawn.
  const isGone = removed?.kind === kind && !itemIds.includes(removed.id) && catalogue.findItem(kind, removed.id);
  if (isGone) itemIds.splice(removed.at, 0, removed.id);
  const cards = catalogue.findCards(kind, itemIds);
  return { favourites: itemIds.map((id, index): Favourite => ({ id, card: cards[index] })), total };
}

/** Where a plain form leads that removed a favourite from a page of them: to its place, which offers to save it again. */
export async function findRemovedPath({ favourites }: Services, memberId: number, { item, from }: Removal) {
  const view = parseView(new URL(from, "http://here.invalid").searchParams);
  if (view.name !== "favourites" || view.item !== undefined) return undefined;
  const page = { page: view.page, size: view.kind ? PAGE_SIZE : LISTING_SIZE };
  const { itemIds } = await favourites.findPage(memberId, item.kind, page);
  const at = itemIds.indexOf(item.id);
  return at === -1 ? undefined : removedPath(view, { ...item, at });
}

type Removal = { item: ItemRef; from: string };

/** Favourites with those that were removed while the page is open, each in its place: there it can be saved again. */
function useStablePlaces<Places extends { favourites: Favourite[] }>(listings: Places[]): Places[] {
  const [last, setLast] = useState(listings);
  const merged = listings.map((listing, index) => {
    // A map keeps the first place of each, and the last of what is known of it.
    const all = [...(last[index]?.favourites ?? []), ...listing.favourites];
    return { ...listing, favourites: [...new Map(all.map((each) => [each.id, each])).values()] };
  });
  const countAll = (lists: Places[]) => lists.flatMap(({ favourites }) => favourites).length;
  if (countAll(merged) !== countAll(last)) setLast(merged);
  return merged;
}

export function Favourites({ listings: found }: FavouritesScreen) {
  const listings = useStablePlaces(found);
  const first = listings.find(({ favourites }) => favourites.length > 0);
  if (!first) return <NoFavourites />;
  return (
    <div className={styles.favourites}>
      <h1 tabIndex={-1}>Favourites</h1>
      {listings.map((listing) =>
        listing.favourites.length > 0 ? (
          <ListingRow key={listing.kind} {...listing} isFirst={listing === first} />
        ) : (
          <EmptyListing key={listing.kind} kind={listing.kind} />
        ),
      )}
    </div>
  );
}

function ListingRow({ kind, favourites, total, isFirst }: Listing & { isFirst: boolean }) {
  return (
    <Slider
      title={kinds[kind].favouritesRow}
      perView={kind === "read" ? "favouriteReads" : "favourites"}
      aside={
        total > 0 ? (
          <Link className={styles.all} to={favouritesListPath(kind)}>
            {`View all (${total})`}
            <span className="visually-hidden">: {kinds[kind].favouritesRow} favourites</span>
          </Link>
        ) : (
          <EmptyLine kind={kind} />
        )
      }
      slides={favourites.map((favourite, index) => ({
        key: favourite.id,
        content: (
          <FavouriteCard kind={kind} favourite={favourite} isWide={kind === "read"} isFirst={isFirst && index === 0} />
        ),
      }))}
    />
  );
}

function EmptyListing({ kind }: { kind: ItemKind }) {
  const headingId = `no-${kind}-favourites`;
  return (
    <section className={styles.empty} aria-labelledby={headingId}>
      <h2 id={headingId}>{kinds[kind].favouritesRow}</h2>
      <EmptyLine kind={kind} />
    </section>
  );
}

/** The line of an empty kind, with the way to its list. */
function EmptyLine({ kind }: { kind: ItemKind }) {
  const { tab, many } = kinds[kind];
  return (
    <p className={styles.emptyLine}>
      {`No ${many} among your favourites yet.`}{" "}
      <Link className={styles.all} to={viewPath({ name: "list", kind, page: 1 })}>
        Go to {tab}
      </Link>
    </p>
  );
}

export function FavouriteList({ kind, favourites: found, page, pageCount }: FavouriteListScreen) {
  const favourites = useStablePlaces([{ favourites: found }]).flatMap((listing) => listing.favourites);
  const favourited = useContext(FavouritedContext);
  const isEmpty = pageCount === 1 && !favourites.some(({ id }) => favourited.has(itemKey({ kind, id })));
  return (
    <div className={styles.favourites}>
      <BackLink className={styles.all} to={favouritesListPath()}>
        Back to Favourites
      </BackLink>
      <h1 tabIndex={-1}>{kinds[kind].favouritesRow} favourites</h1>
      {isEmpty && <EmptyLine kind={kind} />}
      {favourites.length > 0 && (
        <ul className={styles.grid}>
          {favourites.map((favourite) => (
            <li key={favourite.id}>
              <FavouriteCard kind={kind} favourite={favourite} as="h2" />
            </li>
          ))}
        </ul>
      )}
      <Pages page={page} pageCount={pageCount} toPath={(to) => favouritesListPath(kind, to)} />
    </div>
  );
}

function NoFavourites() {
  return (
    <EmptyScreen
      title="No favourites yet..."
      action={
        <Link className={buttons.button} to="/?view=watch">
          Go get some!
        </Link>
      }
    >
      <p>A heart on anything you find keeps it here.</p>
    </EmptyScreen>
  );
}

type FavouriteCardProps = {
  kind: ItemKind;
  favourite: Favourite;
  isWide?: boolean;
  isFirst?: boolean;
  as?: "h2" | "h3";
};

function FavouriteCard({
  kind,
  favourite: { id, card },
  isWide = false,
  isFirst = false,
  as = "h3",
}: FavouriteCardProps) {
  const key = itemKey({ kind, id });
  const isFavourited = useContext(FavouritedContext).has(key);
  // A withdrawn item cannot be saved again.
  if (!card) return isFavourited && <WithdrawnCard itemKey={key} />;
  if (!isFavourited) return <RemovedCard itemKey={key} title={card.title} />;
  const path = viewPath({ name: "favourites", kind, page: 1, item: id, isPlaying: false });
  return <Card card={card} as={as} layout={isWide ? "wide" : "tall"} isFirst={isFirst} path={path} isAnchor />;
}

/** The place of a favourite that was removed. It is within the form of all favourite buttons. */
function RemovedCard({ itemKey: key, title }: { itemKey: string; title: string }) {
  return (
    <article id={key} className={styles.withdrawn}>
      <p>{title} is no longer a favourite.</p>
      <button name="save" value={key} className={buttons.quiet} aria-label={`Undo: ${title}`}>
        Undo
      </button>
    </article>
  );
}

function WithdrawnCard({ itemKey: key }: { itemKey: string }) {
  return (
    <article id={key} className={styles.withdrawn}>
      <p>This is no longer available.</p>
      <FavouriteButton itemKey={key} title="an item that is no longer available" />
    </article>
  );
}
