import { readFileSync } from "node:fs";
import { join } from "node:path";

import { lazy } from "../lazy.ts";

/** The content id of the mark (RFC 2392), which travels in the email: mail programs block pictures from elsewhere. */
export const MARK_ID = "mark@dormouse";

/** The mark, 64 by 64: drawn by `tools/render-pictures.ts`. */
export const readMark = lazy(() => readFileSync(join(import.meta.dirname, "mark.png")));
