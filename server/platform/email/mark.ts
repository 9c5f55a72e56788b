import { readFileSync } from "node:fs";
import { join } from "node:path";

import { lazy } from "../lazy.ts";

/** The name by which the page of an email shows the mark that travels within it (RFC 2392): mail programs block pictures from elsewhere. */
export const MARK_ID = "mark@dormouse";

/** The mark, 64 by 64: drawn by `tools/render-pictures.ts`. */
export const readMark = lazy(() => readFileSync(join(import.meta.dirname, "mark.png")));
