import { articleCovers } from "./articles.ts";
import { filmCovers } from "./films.ts";
import { pieceCovers } from "./pieces.ts";

/** The pictures of the bundled items, each as SVG, by the names of their files. */
export const covers: Record<string, () => string> = { ...articleCovers, ...filmCovers, ...pieceCovers };
