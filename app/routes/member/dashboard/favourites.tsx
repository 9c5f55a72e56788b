import { useContext, useState } from "react";
import { redirect } from "react-router";

import type { Card as CardContent } from "../../../../server/content/items/cards.ts";
import { itemKey, type ItemRef, type Section, sections } from "../../../../server/content/items/kinds.ts";
import { findSection, landingTopics } from "../../../../server/content/items/item-facts.ts";
import type { Services } from "../../../../server/services.ts";
import buttons from "../../../components/button.module.css";
import { Card } from "../../../components/card.tsx";
import { FavouriteButton, FavouritedContext } from "../../../components/favourite-button.tsx";
import { BackLink } from "../../../components/links.tsx";
import { Icon } from "../../../components/icons.tsx";
import { EmptyScreen } from "../../../components/empty-screen.tsx";
import { Pages } from "../../../components/pages.tsx";
import { href, itemPath } from "../../../frame/paths.ts";
import { Slider } from "../../../components/slider.tsx";
import { favouritesListPath, type FavouritesView, parseView, type Removed, removedPath, viewPath } from "./view.ts";
import styles from "./favourites.module.css";
import { countPages } from "../../../../server/platform/count.ts";

/** A listing for each section. */
export type FavouritesScreen = {
  name: "favourites";
  listings: Listing[];
  /** For a member without any favourite. */
  suggestion: { title: string; path: string } | undefined;
};

type Listing = { section: Section; favourites: Favourite[]; total: number };

/** One section, page by page. */
export type FavouriteListScreen = {
  name: "favourite-list";
  section: Section;
  favourites: Favourite[];
  page: number;
  pageCount: number;
};

/** A favourite whose item was withdrawn has no card, and can still be removed. */
type Favourite = ItemRef & { card: CardContent | undefined };

/** A slider shows the newest few; all of them are behind "View all". */
const LISTING_SIZE = 12;
const PAGE_SIZE = 24;

type Listed = Pick<FavouritesView, "section" | "page" | "removed">;

type Found<Screen> = { screen: Screen; favourited: string[] };

export async function findFavourites(
  services: Services,
  memberId: number,
  { section, page, removed }: Listed,
): Promise<Found<FavouritesScreen | FavouriteListScreen> | undefined> {
  if (section) return findFavouriteList(services, memberId, { section, page, removed });
  const queries = services.catalogue.listSections().map((each) => ({ section: each, page: 1, size: LISTING_SIZE }));
  const { pages, favourited } = await findPages(services, memberId, { queries, removed });
  const listings = separate(services, pages);
  const isEmpty = listings.every(({ favourites }) => favourites.length === 0);
  const suggestion = isEmpty ? findSuggestion(services) : undefined;
  return { screen: { name: "favourites", listings, suggestion }, favourited };
}

/** The first step of the first landing topic's guide, or else the latest item. */
function findSuggestion({ catalogue }: Services): FavouritesScreen["suggestion"] {
  const [item] = catalogue.findGuide(landingTopics[0])?.steps ?? catalogue.listLatest();
  return item && { title: item.title, path: itemPath(item) };
}

async function findFavouriteList(
  services: Services,
  memberId: number,
  { section, page, removed }: Listed & { section: Section },
): Promise<Found<FavouriteListScreen> | undefined> {
  if (!services.catalogue.listSections().includes(section)) return undefined;
  const query = { section, page, size: PAGE_SIZE };
  const { pages, favourited } = await findPages(services, memberId, { queries: [query], removed });
  const [listing = { section, favourites: [], total: 0 }] = separate(services, pages);
  const pageCount = countPages(listing.total, PAGE_SIZE);
  // The last favourite of the last page was removed, here or on another device.
  if (page > pageCount && listing.favourites.length === 0) throw redirect(favouritesListPath(section, pageCount));
  const { favourites } = listing;
  return { screen: { name: "favourite-list", section, favourites, page, pageCount }, favourited };
}

function separate({ catalogue }: Services, listings: Listing[]): Listing[] {
  const cards = listings.flatMap(({ favourites }) => favourites.flatMap(({ card }) => card ?? []));
  const show = catalogue.separateScenes(cards);
  const showCard = ({ kind, id, card }: Favourite): Favourite => ({ kind, id, card: card && show(card) });
  return listings.map((listing) => Object.assign(listing, { favourites: listing.favourites.map(showCard) }));
}

type SectionQuery = { section: Section; page: number; size: number };

async function findPages(
  services: Services,
  memberId: number,
  { queries, removed }: { queries: SectionQuery[]; removed: Removed | undefined },
) {
  const { catalogue } = services;
  const { items: read, favourited } = await findItems(services, memberId, { queries, removed });
  const pages = read.map(({ section, items, total }): Listing => {
    // A removed one keeps its place, unless it was saved again or its item was withdrawn.
    if (removed && !items.some((item) => itemKey(item) === itemKey(removed))) {
      const item = catalogue.findItem(removed.kind, removed.id);
      if (item && findSection(item) === section) items.splice(removed.at, 0, { kind: item.kind, id: item.id });
    }
    const favourites = items.map(({ kind, id }) => ({ kind, id, card: catalogue.findCard({ kind, id }) }));
    return { section, favourites, total };
  });
  return { pages, favourited };
}

/** A withdrawn favourite is in the section of its kind. */
async function findItems(
  { favourites, catalogue }: Services,
  memberId: number,
  { queries, removed }: { queries: SectionQuery[]; removed?: Removed | undefined },
) {
  const recordings = catalogue.listRecordings();
  const pages = await favourites.findPages(memberId, [
    ...queries.map(({ section, ...page }) => {
      if (section === "listen") return { among: recordings, ...page };
      const except = recordings.filter(({ kind }) => kind === section).map(({ id }) => id);
      return { kind: section, except, ...page };
    }),
    // It may have been saved again, and be on another page.
    ...(removed ? [{ among: [removed], page: 1, size: 1 }] : []),
  ]);
  const items = queries.map(({ section }, index) => ({ section, ...(pages[index] ?? { items: [], total: 0 }) }));
  return { items, favourited: pages.flatMap((page) => page.items.map(itemKey)) };
}

/** The place of a favourite that a plain form removed, which offers to save it again. */
export async function findRemovedPath(services: Services, memberId: number, { item, from }: Removal) {
  const view = parseView(new URL(from, "http://here.invalid").searchParams);
  if (view.name !== "favourites" || view.item !== undefined) return undefined;
  const known = services.catalogue.findItem(item.kind, item.id);
  const section = known ? findSection(known) : item.kind;
  const size = view.section ? PAGE_SIZE : LISTING_SIZE;
  const queries = [{ section, page: view.page, size }];
  const [page] = (await findItems(services, memberId, { queries })).items;
  const at = (page?.items ?? []).findIndex((each) => itemKey(each) === itemKey(item));
  return at === -1 ? undefined : removedPath(view, { ...item, at });
}

type Removal = { item: ItemRef; from: string };

/** Favourites removed while the page is open stay in their places: there they can be saved again. */
function useStableListings<Shown extends { favourites: Favourite[] }>(listings: Shown[]): Shown[] {
  const [last, setLast] = useState(listings);
  const merged = listings.map((listing, index) => {
    // A map has the first place of each, and its last state.
    const all = [...(last[index]?.favourites ?? []), ...listing.favourites];
    return { ...listing, favourites: [...new Map(all.map((each) => [itemKey(each), each])).values()] };
  });
  const countAll = (all: Shown[]) => all.flatMap(({ favourites }) => favourites).length;
  if (countAll(merged) !== countAll(last)) setLast(merged);
  return merged;
}

export function Favourites({ listings: found, suggestion }: FavouritesScreen) {
  const listings = useStableListings(found);
  const first = listings.find(({ favourites }) => favourites.length > 0);
  if (!first) return <NoFavourites suggestion={suggestion} />;
  return (
    <div className={styles.favourites}>
      <h1 tabIndex={-1} className="beside-title">
        Favourites
      </h1>
      {listings.map((listing) =>
        listing.favourites.length > 0 ? (
          <ListingRow key={listing.section} {...listing} isFirst={listing === first} />
        ) : (
          <EmptyListing key={listing.section} section={listing.section} />
        ),
      )}
    </div>
  );
}

function ListingRow({ section, favourites, total, isFirst }: Listing & { isFirst: boolean }) {
  return (
    <Slider
      title={sections[section].favouritesRow}
      perView={section === "read" ? "favouriteReads" : "favourites"}
      aside={
        total > 0 ? (
          <a className={styles.all} href={href(favouritesListPath(section))}>
            <span>{`View all (${total})`}</span>
            <span className="visually-hidden">{`: ${sections[section].one}s you saved`}</span>
          </a>
        ) : (
          <EmptyLine section={section} />
        )
      }
      slides={favourites.map((favourite, index) => ({
        key: itemKey(favourite),
        content: <FavouriteCard favourite={favourite} isWide={section === "read"} isFirst={isFirst && index === 0} />,
      }))}
    />
  );
}

function EmptyListing({ section }: { section: Section }) {
  const headingId = `no-${section}-favourites`;
  return (
    <section className={styles.empty} aria-labelledby={headingId}>
      <h2 id={headingId}>{sections[section].favouritesRow}</h2>
      <EmptyLine section={section} />
    </section>
  );
}

function EmptyLine({ section }: { section: Section }) {
  const { tab, many } = sections[section];
  return (
    <p className={styles.emptyLine}>
      {`No ${many} in your favourites yet.`}{" "}
      <a className={styles.all} href={href(viewPath({ name: "list", section, page: 1 }))}>
        Go to {tab}
      </a>
    </p>
  );
}

export function FavouriteList({ section, favourites: found, page, pageCount }: FavouriteListScreen) {
  const favourites = useStableListings([{ favourites: found }]).flatMap((listing) => listing.favourites);
  const favourited = useContext(FavouritedContext);
  const isEmpty = pageCount === 1 && !favourites.some((each) => favourited.has(itemKey(each)));
  return (
    <div className={styles.favourites}>
      <div className="beside-title">
        <BackLink className={buttons.back} to={favouritesListPath()}>
          <Icon name="back" />
          <span>Back to Favourites</span>
        </BackLink>
      </div>
      <h1 tabIndex={-1}>{`${sections[section].one}s you saved`}</h1>
      {isEmpty && <EmptyLine section={section} />}
      {favourites.length > 0 && (
        <ul className={styles.grid}>
          {favourites.map((favourite) => (
            <li key={itemKey(favourite)}>
              <FavouriteCard favourite={favourite} as="h2" />
            </li>
          ))}
        </ul>
      )}
      <Pages page={page} pageCount={pageCount} toPath={(to) => favouritesListPath(section, to)} />
    </div>
  );
}

function NoFavourites({ suggestion }: Pick<FavouritesScreen, "suggestion">) {
  return (
    <EmptyScreen
      title="No favourites yet..."
      action={
        <a className={buttons.button} href={href("/?view=watch")}>
          Go get some!
        </a>
      }
    >
      <p>Tap a heart and it appears here.</p>
      {suggestion && (
        <p>
          Try <a href={href(suggestion.path)}>{suggestion.title}</a>.
        </p>
      )}
    </EmptyScreen>
  );
}

type FavouriteCardProps = {
  favourite: Favourite;
  isWide?: boolean;
  isFirst?: boolean;
  as?: "h2" | "h3";
};

function FavouriteCard({
  favourite: { kind, id, card },
  isWide = false,
  isFirst = false,
  as = "h3",
}: FavouriteCardProps) {
  const key = itemKey({ kind, id });
  const isFavourited = useContext(FavouritedContext).has(key);
  // A withdrawn item cannot be saved again.
  if (!card) return isFavourited && <WithdrawnCard itemKey={key} />;
  if (!isFavourited) return <RemovedCard itemKey={key} title={card.title} />;
  const path = viewPath({ name: "favourites", section: undefined, page: 1, item: { kind, id }, isPlaying: false });
  return <Card card={card} as={as} layout={isWide ? "wide" : "tall"} isFirst={isFirst} path={path} isAnchor />;
}

/** Within the form of all favourite buttons. */
function RemovedCard({ itemKey: key, title }: { itemKey: string; title: string }) {
  return (
    <article id={key} className={styles.withdrawn}>
      <p>Removed from favourites.</p>
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
