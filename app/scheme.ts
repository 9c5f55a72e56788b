import { createContext } from "react";

import type { Scheme } from "./cookies.ts";

/** A scheme in the words of CSS, which the browser paints with before it has our styles. */
export const colorSchemes = { night: "dark", dawn: "light", system: "dark light" };

/**
 * The scheme of a page that has no data to say so: what failed may have failed before any was read. The server is told by the
 * request, a browser by the page that it got.
 */
export const SchemeContext = createContext<Scheme | "system" | undefined>(
  typeof document === "undefined" ? undefined : (document.documentElement.dataset.scheme as Scheme | "system"),
);
