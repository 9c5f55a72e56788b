import { FIRST_ARTICLE_ID, LIST_LENGTH } from "./synthetic-content.ts";

/** A page to measure, and words that only the right answer has. */
export type Page = { what: string; path: string; words: string };

/** The cards on a page of the product. */
export const EVERYDAY_CARDS = 24;

export const everydayPages = {
  list: { what: `list of ${EVERYDAY_CARDS} cards`, path: "/?view=watch", words: `item=${EVERYDAY_CARDS}"` },
  article: { what: "article", path: `/?view=read&item=${FIRST_ARTICLE_ID}`, words: "Recommended For You" },
  landing: { what: "landing", path: "/", words: "Shift Work" },
  favourites: { what: "favourites", path: "/?view=favourites", words: "View all" },
  search: { what: "search page of 24 results", path: "/?q=night", words: "Showing 24" },
} satisfies Record<string, Page>;

/** The list by client navigation, as the browser requests it. */
export const listData = {
  what: `list of ${EVERYDAY_CARDS} cards by client navigation`,
  path: "/_.data?view=watch&_routes=routes%2Fmember%2Fdashboard",
  words: '"routes/member/dashboard"',
};

export const longListPage = {
  what: `list of ${LIST_LENGTH} cards`,
  path: "/?view=watch",
  words: `item=${LIST_LENGTH}"`,
};

export const logInPage = { what: "/login", path: "/login", words: "Password" };
export const myAccountPage = { what: "My Account", path: "/?account=open", words: "Change password" };
export const todayPage = { what: "the desk's Today", path: "/desk", words: "Today" };
export const signUpPage = { what: "/signup", path: "/signup", words: "Log in or Sign up" };
