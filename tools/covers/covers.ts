import { articleCovers } from "./articles.ts";
import { filmCovers } from "./films.ts";
import { peopleCovers } from "./people.ts";
import { pieceCovers } from "./pieces.ts";
import { soundCovers } from "./sounds.ts";

/** SVG by file name. */
export const covers: Record<string, () => string> = {
  ...articleCovers,
  ...filmCovers,
  ...peopleCovers,
  ...pieceCovers,
  ...soundCovers,
};
