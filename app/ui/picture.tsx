import type { Picture as ItemPicture } from "../../server/content/item.ts";
import { findScene } from "./scenes.ts";

/** How wide a picture is shown, as the `sizes` of an `<img>`. */
export const pictureSizes = {
  // On a phone cards and what is wide are a little less than they are: drawn a tenth larger a picture looks the same, and many phones need only the small one.
  card: "(min-width: 1024px) 300px, (min-width: 640px) 46vw, 86vw",
  tile: "(min-width: 768px) 300px, 46vw",
  panel: "280px",
  entrance: "(min-width: 1024px) 95vw, 1px",
  wide: "(min-width: 800px) 760px, 86vw",
};

type OwnPicture = Extract<ItemPicture, { src: string }>;

type PictureProps = {
  picture: ItemPicture;
  sizes: keyof typeof pictureSizes;
  /** In the first view: fetched at once and with priority. All others wait until they come near. */
  isFirst?: boolean;
  /** What the link does whose content is the picture alone (WCAG, technique H30), in place of what the picture shows. */
  does?: string | undefined;
};

/** An item's own picture, or its night scene (which says nothing that the title does not). */
export function Picture({ picture, sizes, isFirst = false, does }: PictureProps) {
  const loading = isFirst ? ({ fetchPriority: "high" } as const) : ({ loading: "lazy" } as const);
  if ("src" in picture) {
    const { src, alt, width, height } = picture;
    const choice = choiceOf(picture, sizes);
    return <img src={src} {...choice} alt={does ?? alt} width={width} height={height} {...loading} decoding="async" />;
  }
  const scene = findScene(picture.scene);
  return (
    <picture>
      <source type="image/avif" srcSet={scene.avif} sizes={pictureSizes[sizes]} />
      <img
        src={scene.fallback}
        srcSet={scene.webp}
        sizes={pictureSizes[sizes]}
        width={1280}
        height={720}
        alt={does ?? ""}
        {...loading}
        decoding="async"
      />
    </picture>
  );
}

/** The widest that a card is worth: a phone with many pixels would otherwise fetch a poster for each of its small pictures. */
const WIDEST_ON_CARD = 800;

function choiceOf({ src, width, widths }: OwnPicture, sizes: keyof typeof pictureSizes) {
  const worth = widths?.filter((each) => sizes === "wide" || each <= WIDEST_ON_CARD) ?? [];
  if (worth.length === 0) return {};
  // No picture is drawn larger than it is, whatever width is asked for.
  const srcSet = worth.map((each) => `${src}?w=${each} ${Math.min(each, width)}w`).join(", ");
  return { srcSet, sizes: pictureSizes[sizes] };
}
