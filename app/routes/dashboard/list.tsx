import type { Card as CardContent } from "../../../server/content/cards.ts";
import type { CardPage, Catalogue } from "../../../server/content/catalogue.ts";
import { itemKey, type Section, sections } from "../../../server/content/kinds.ts";
import { Card, CardGrid } from "../../components/card.tsx";
import { Pages } from "../../components/pages.tsx";
import { Slider } from "../../components/slider.tsx";
import { Missing } from "./missing.tsx";
import { type View, viewPath } from "./view.ts";
import styles from "./list.module.css";

export type ListScreen = {
  name: "list";
  section: Section;
  listed: CardPage;
  featured: CardContent[];
  /** One that is on the page besides has its picture there. */
  latest: (Omit<CardContent, "picture"> & Partial<Pick<CardContent, "picture">>)[];
};

/** A page of a section; `undefined` past the last one. */
export function findList(catalogue: Catalogue, { section, page }: View & { name: "list" }): ListScreen | undefined {
  const listed = catalogue.findPage(section, page);
  if (!listed) return undefined;
  const featured = section === "read" && page === 1 ? catalogue.listFeatured() : [];
  const shown = new Set([...featured, ...listed.cards].map(itemKey));
  const latest = catalogue.listLatest().map((card) => {
    const { picture: _, ...plain } = card;
    return shown.has(itemKey(card)) ? plain : card;
  });
  return { name: "list", section, listed, featured, latest };
}

/** A section: the New panel beside it on wide screens, featured articles on top, then everything page by page. */
export function List({ section, listed, featured, latest }: ListScreen) {
  const { tab, many } = sections[section];
  if (listed.cards.length === 0 && featured.length === 0)
    return <Missing title={tab} sentence={`There are no ${many} yet.`} />;
  return (
    <div className={styles.columns}>
      <h1 tabIndex={-1} className={styles.title}>
        {tab}
      </h1>
      <NewPanel cards={latest} />
      <div className={styles.content}>
        {featured.length > 0 && (
          <Slider
            title="Featured Articles"
            perView="featured"
            hasDots
            slides={featured.map((card, index) => ({
              key: card.id,
              content: <Card card={card} as="h3" layout="wide" isFirst={index === 0} isAnchor />,
            }))}
          />
        )}
        {section === "read" ? (
          <section className={styles.section} aria-labelledby="articles">
            <h2 id="articles">Articles</h2>
            <CardGrid cards={listed.cards} as="h3" areFirst={featured.length === 0} />
          </section>
        ) : (
          <CardGrid cards={listed.cards} />
        )}
        <Pages {...listed} toPath={(page) => viewPath({ name: "list", section, page })} />
      </div>
    </div>
  );
}

/** The latest video, article and webinar, on wide screens (docs/behaviour.md, Sections and items). */
function NewPanel({ cards }: { cards: ListScreen["latest"] }) {
  return (
    <aside className={styles.panel}>
      <h2>New</h2>
      <ul className={styles.latest}>
        {cards.map((card) => (
          <li key={card.id}>
            <Card card={card} as="h3" layout="compact" sizes="panel" />
          </li>
        ))}
      </ul>
    </aside>
  );
}
