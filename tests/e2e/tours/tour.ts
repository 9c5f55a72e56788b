import type { Page } from "@playwright/test";

import type { Site } from "../fixtures.ts";

/**
 * A walk through states that a person can meet. It stops in each, yields its name, and goes on when whoever walks along has
 * looked at it. What somebody does to reach a state is here and nowhere else.
 */
export type Tour = (visit: Visit) => AsyncGenerator<string>;

export type Visit = { page: Page; site: Site };
