import { kinds } from "../../../server/content/kinds.ts";
import { CardGrid } from "../../ui/card-grid.tsx";
import { Card } from "../../ui/card.tsx";
import { Pages } from "../../ui/pages.tsx";
import { Slider } from "../../ui/slider.tsx";
import { Missing } from "./missing.tsx";
import { NewPanel } from "./new-panel.tsx";
import type { Screen } from "./screen.ts";
import { viewPath } from "./view.ts";
import styles from "./list.module.css";

/** A section: what is new beside it on a wide screen, for articles the featured ones on top, then everything page by page. */
export function List({ kind, listed, featured, latest }: Screen & { name: "list" }) {
  const { tab, many } = kinds[kind];
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
        {kind === "read" ? (
          <section className={styles.section} aria-labelledby="articles">
            <h2 id="articles">Articles</h2>
            <CardGrid cards={listed.cards} as="h3" areFirst={featured.length === 0} />
          </section>
        ) : (
          <CardGrid cards={listed.cards} />
        )}
        <Pages {...listed} pathOf={(page) => viewPath({ name: "list", kind, page })} />
      </div>
    </div>
  );
}
