import { Link } from "react-router";

import { BackLink } from "../../ui/links.tsx";
import { type ItemKind, kinds } from "../../../server/content/kinds.ts";
import buttons from "../../ui/button.module.css";
import { Card } from "../../ui/card.tsx";
import { FavouriteButton } from "../../ui/favourite-button.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Pages } from "../../ui/pages.tsx";
import { Slider } from "../../ui/slider.tsx";
import type { Favourite, FavouriteListing } from "./favourites-screen.ts";
import type { Screen } from "./screen.ts";
import { favouritesListPath, viewPath } from "./view.ts";
import styles from "./favourites.module.css";

/** What each kind is called here (spec, section 2). */
/** All favourites of a member, a section for each kind. */
export function Favourites({ listings }: Screen & { name: "favourites" }) {
  const first = listings.find(({ total }) => total > 0);
  if (!first) return <NoFavourites />;
  return (
    <div className={styles.favourites}>
      <h1 tabIndex={-1}>Favourites</h1>
      {listings.map((listing) =>
        listing.total > 0 ? (
          <Listing key={listing.kind} {...listing} isFirst={listing === first} />
        ) : (
          <EmptyListing key={listing.kind} kind={listing.kind} />
        ),
      )}
    </div>
  );
}

function Listing({ kind, favourites, total, isFirst }: FavouriteListing & { isFirst: boolean }) {
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

/** All favourites of one kind, page by page. */
export function FavouriteList({ kind, favourites, page, pageCount }: Screen & { name: "favourite-list" }) {
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
      <p>A heart on a video, an article or a webinar keeps it here.</p>
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
