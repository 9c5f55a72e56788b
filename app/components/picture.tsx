import { useContext } from "react";

import type { Picture as ItemPicture } from "../../server/content/items/item.ts";
import { type SceneName, sceneNames } from "../../server/content/items/kinds.ts";
import { href } from "../frame/paths.ts";
import { SchemeContext } from "../frame/scheme.ts";
import "./picture.css";

export const pictureSizes = {
  // On a phone cards and wide pictures claim a tenth less than they measure: it looks the same, and many phones then
  // need only the small file. On a wide desk one may have half of a row.
  card: "(min-width: 1600px) 580px, (min-width: 1024px) 300px, (min-width: 640px) 46vw, 86vw",
  tile: "(min-width: 768px) 300px, 46vw",
  panel: "104px",
  auth: "(min-width: 1024px) 95vw, 1px",
  wide: "(min-width: 800px) 760px, 86vw",
};

const files = import.meta.glob<string>("./*.{avif,webp}", {
  base: "./pictures/scenes",
  eager: true,
  query: "?url",
  import: "default",
});

const scenes = sceneNames.map(toScene);

function toScene(name: SceneName) {
  const file = (size: string) => files[`./${name}-${size}`] ?? "";
  return {
    night: listWidths(file),
    // From `public`: so many more hashed names would be 1 kB of script on every page.
    dusk: listWidths((size) => href(`/dusk/${name}-${size}`)),
    // For browsers from before 2023, which have the night in both schemes.
    webp: file("640.webp"),
  };
}

/** The smallest is for tiles and for cards on a desk, the next for cards on a phone. */
function listWidths(toAddress: (size: string) => string): string {
  return [400, 640, 1280].map((width) => `${toAddress(`${width}.avif`)} ${width}w`).join(", ");
}

/** The scheme of a person who has chosen none. */
export const systemIsLight = "(prefers-color-scheme: light)";

type OwnPicture = Extract<ItemPicture, { src: string }>;

type PictureProps = {
  picture: ItemPicture;
  sizes: keyof typeof pictureSizes;
  /** In the first view: fetched at once with priority. Others wait until they come near. */
  isFirst?: boolean;
  /** A paper frame in the light scheme, if it is an item's own. */
  hasMat?: boolean;
  /** In place of the picture's own: where it is all of a link, what that does (WCAG, technique H30). */
  alt?: string | undefined;
};

/** Its own picture, or its scene, which adds nothing to the title: by night, and at dusk in the light scheme. */
export function Picture({ picture, sizes, isFirst = false, hasMat = false, alt }: PictureProps) {
  const scheme = useContext(SchemeContext) ?? "system";
  const loading = isFirst ? ({ fetchPriority: "high" } as const) : ({ loading: "lazy" } as const);
  if ("src" in picture) {
    const { src, width, height, ground } = picture;
    const choice = { ...toSourceSet(picture, sizes), "data-ground": ground, ...(hasMat && { className: "mat" }) };
    return (
      <img src={src} {...choice} alt={alt ?? picture.alt} width={width} height={height} {...loading} decoding="async" />
    );
  }
  const { night, dusk, webp } = scenes[picture.scene] ?? toScene("moon-over-hills");
  const source = { type: "image/avif", sizes: pictureSizes[sizes] };
  return (
    <picture>
      {scheme === "system" && <source {...source} media={systemIsLight} srcSet={dusk} />}
      <source {...source} srcSet={scheme === "dawn" ? dusk : night} />
      <img src={webp} width={1280} height={720} alt={alt ?? ""} {...loading} decoding="async" />
    </picture>
  );
}

export function toPictureAddress(picture: ItemPicture): string | undefined {
  return "src" in picture ? picture.src : scenes[picture.scene]?.webp;
}

/** A phone with many pixels would otherwise fetch a poster for each small picture. */
const WIDEST_ON_CARD = 800;

function toSourceSet({ src, width, widths }: OwnPicture, sizes: keyof typeof pictureSizes) {
  const worth = widths?.filter((each) => sizes === "wide" || each <= WIDEST_ON_CARD) ?? [];
  if (worth.length === 0) return {};
  // No picture is drawn larger than it is, whatever width is requested.
  const srcSet = worth.map((each) => `${src}?w=${each} ${Math.min(each, width)}w`).join(", ");
  return { srcSet, sizes: pictureSizes[sizes] };
}
