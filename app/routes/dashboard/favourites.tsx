import { Link, redirect } from "react-router";

import type { Card as CardContent } from "../../../server/content/cards.ts";
import { type ItemKind, itemKinds, kinds } from "../../../server/content/kinds.ts";
import type { Services } from "../../../server/services.ts";
import buttons from "../../components/button.module.css";
import { Card } from "../../components/card.tsx";
import { FavouriteButton } from "../../components/favourite-button.tsx";
import { BackLink } from "../../components/links.tsx";
import { Notice } from "../../components/notice.tsx";
import { Pages } from "../../components/pages.tsx";
import { Slider } from "../../components/slider.tsx";
import { favouritesListPath, viewPath } from "./view.ts";
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

export async function findFavourites(services: Services, memberId: number): Promise<FavouritesScreen> {
  const listings = itemKinds.map(async (kind) => {
    const { favourites, total } = await findPage(services, memberId, { kind, page: 1, size: LISTING_SIZE });
    return { kind, favourites, total };
  });
  return { name: "favourites", listings: await Promise.all(listings) };
}

export async function findFavouriteList(
  services: Services,
  memberId: number,
  { kind, page }: { kind: ItemKind; page: number },
): Promise<FavouriteListScreen> {
  const { favourites, total } = await findPage(services, memberId, { kind, page, size: PAGE_SIZE });
  const pageCount = Math.max(1, Math.ceil(total / PAGE_SIZE));
  // The last favourite of the last page was removed, here or on another device.
  if (page > pageCount) throw redirect(favouritesListPath(kind, pageCount));
  return { name: "favourite-list", kind, favourites, page, pageCount };
}

type PageOf = { kind: ItemKind; page: number; size: number };

async function findPage({ favourites, catalogue }: Services, memberId: number, { kind, ...page }: PageOf) {
  const { itemIds, total } = await favourites.findPage(memberId, kind, page);
  const cards = catalogue.findCards(kind, itemIds);
  return { favourites: itemIds.map((id, index): Favourite => ({ id, card: cards[index] })), total };
}

export function Favourites({ listings }: FavouritesScreen) {
  const first = listings.find(({ total }) => total > 0);
  if (!first) return <NoFavourites />;
  return (
    <div className={styles.favourites}>
      <h1 tabIndex={-1}>Favourites</h1>
      {listings.map((listing) =>
        listing.total > 0 ? (
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
        <Link className={styles.all} to={favouritesListPath(kind)}>
          {`View all (${total})`}
          <span className="visually-hidden">: {kinds[kind].favouritesRow} favourites</span>
        </Link>
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

/** What an empty kind says, with the way to its list. */
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

export function FavouriteList({ kind, favourites, page, pageCount }: FavouriteListScreen) {
  return (
    <div className={styles.favourites}>
      <BackLink className={styles.all} to={favouritesListPath()}>
        Back to Favourites
      </BackLink>
      <h1 tabIndex={-1}>{kinds[kind].favouritesRow} favourites</h1>
      {favourites.length === 0 ? (
        <EmptyLine kind={kind} />
      ) : (
        <ul className={styles.grid}>
          {favourites.map((favourite) => (
            <li key={favourite.id}>
              <FavouriteCard kind={kind} favourite={favourite} as="h2" />
            </li>
          ))}
        </ul>
      )}
      <Pages page={page} pageCount={pageCount} pathOf={(to) => favouritesListPath(kind, to)} />
    </div>
  );
}

function NoFavourites() {
  return (
    <Notice
      title="No favourites yet..."
      action={
        <Link className={buttons.button} to="/?view=watch">
          Go get some!
        </Link>
      }
    >
      <p>A heart on anything you find keeps it here.</p>
    </Notice>
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
  if (!card) return <WithdrawnCard itemKey={`${kind}-${id}`} />;
  const path = viewPath({ name: "favourites", kind, page: 1, item: id, isPlaying: false });
  return <Card card={card} as={as} layout={isWide ? "wide" : "tall"} isFirst={isFirst} path={path} isAnchor />;
}

function WithdrawnCard({ itemKey }: { itemKey: string }) {
  return (
    <article id={itemKey} className={styles.withdrawn}>
      <p>This is no longer available.</p>
      <FavouriteButton itemKey={itemKey} title="an item that is no longer available" />
    </article>
  );
}
