import type { Card as CardContent } from "../../../../server/content/items/cards.ts";
import type { Catalogue } from "../../../../server/content/catalogue/catalogue.ts";
import { itemKey, type Section, sections } from "../../../../server/content/items/kinds.ts";
import type { TopicGroup } from "../../../../server/content/catalogue/topic-groups.ts";
import { Card, CardGrid } from "../../../components/card.tsx";
import { Pages } from "../../../components/pages.tsx";
import { Slider } from "../../../components/slider.tsx";
import { Missing } from "./missing.tsx";
import { href } from "../../../frame/paths.ts";
import { searchPath, type View, viewPath } from "./view.ts";
import styles from "./list.module.css";

export type ListScreen = {
  name: "list";
  section: Section;
  /** Grouped by topic where they are many. */
  groups: TopicGroup<CardContent>[];
  page: number;
  pageCount: number;
  featured: CardContent[];
  /** Without a picture where the page has one of the item. */
  latest: (Omit<CardContent, "picture"> & Partial<Pick<CardContent, "picture">>)[];
};

type ListView = View & { name: "list" };

/** The same for every member; `undefined` past the last page. */
export function findList(catalogue: Catalogue, view: ListView): ListScreen | undefined {
  return catalogue.remember(`list ${view.section} ${view.page}`, () => makeList(catalogue, view));
}

function makeList(catalogue: Catalogue, { section, page }: ListView): ListScreen | undefined {
  const listed = catalogue.findPage(section, page);
  if (!listed) return undefined;
  const { cards, pageCount } = listed;
  const featured = section === "read" && page === 1 ? catalogue.listFeatured() : [];
  const shown = new Set([...featured, ...cards].map(itemKey));
  const latest = catalogue.listLatest().map((card) => {
    const { picture: _, ...plain } = card;
    return shown.has(itemKey(card)) ? plain : card;
  });
  const groups = catalogue.groupByTopic(cards);
  const ordered = [...latest, ...featured, ...groups.flatMap((group) => group.cards)];
  const show = catalogue.separateScenes(ordered);
  return {
    name: "list",
    section,
    groups: groups.map(({ topic, cards: under }) => ({ topic, cards: under.map(show) })),
    page,
    pageCount,
    featured: featured.map(show),
    latest: latest.map(show),
  };
}

/** The New panel is beside it on wide screens, featured articles on top. */
export function List({ section, groups, page, pageCount, featured, latest }: ListScreen) {
  const { tab, many } = sections[section];
  if (!groups[0]?.cards[0] && !featured[0]) return <Missing title={tab} sentence={`There are no ${many} yet.`} />;
  const isRead = section === "read";
  const isGrouped = groups.length > 1;
  const [Topic, below] = isRead ? (["h3", "h4"] as const) : (["h2", "h3"] as const);
  return (
    <div className={styles.columns}>
      <h1 tabIndex={-1} className={`${styles.title} beside-title`}>
        {tab}
      </h1>
      <NewPanel cards={latest} />
      <div className={styles.content}>
        {featured.length > 0 && (
          <Slider
            title="Featured Articles"
            hasDots
            slides={featured.map((card, index) => ({
              key: card.id,
              content: <Card card={card} as="h3" layout="wide" isFirst={index === 0} isAnchor />,
            }))}
          />
        )}
        {isRead && <h2 id="articles">Articles</h2>}
        {groups.map(({ topic, cards }, index) => (
          <section key={topic ?? many} className={styles.section}>
            {isGrouped && (
              <div className={styles.topic}>
                <Topic>{topic ?? `More ${many}`}</Topic>
                {topic && (
                  <a href={href(searchPath({ term: topic, section }))}>
                    All of this topic<span className="visually-hidden">{`: ${topic}`}</span>
                  </a>
                )}
              </div>
            )}
            <CardGrid cards={cards} as={isGrouped ? below : Topic} areFirst={index === 0 && featured.length === 0} />
          </section>
        ))}
        <Pages page={page} pageCount={pageCount} toPath={(to) => viewPath({ name: "list", section, page: to })} />
      </div>
    </div>
  );
}

/** Only on wide screens (docs/behaviour.md, Sections and items). */
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
