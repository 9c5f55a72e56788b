/** The nine night scenes, in the order that an item's `scene` counts in. */
const names = [
  "moon-over-hills",
  "hedgerow-nest",
  "lighthouse",
  "tent-and-stars",
  "rain-on-a-window",
  "sleeping-village",
  "owl-on-a-bough",
  "quiet-sea",
  "attic-lamp",
] as const;

export type SceneName = (typeof names)[number];

const files = import.meta.glob<string>("./pictures/scenes/*.{avif,webp}", {
  eager: true,
  query: "?url",
  import: "default",
});

export type SceneFiles = { avif: string; webp: string; fallback: string };

const scenes = names.map((name): SceneFiles => {
  const file = (size: string) => files[`./pictures/scenes/${name}-${size}`] ?? "";
  return {
    avif: `${file("640.avif")} 640w, ${file("1280.avif")} 1280w`,
    webp: `${file("640.webp")} 640w, ${file("1280.webp")} 1280w`,
    fallback: file("640.webp"),
  };
});

/** The files of a scene, by its number. */
export function findScene(scene: number): SceneFiles {
  return scenes[scene] ?? { avif: "", webp: "", fallback: "" };
}

/** The number of a scene, for pages that choose one by name. */
export function sceneNumber(name: SceneName): number {
  return names.indexOf(name);
}
