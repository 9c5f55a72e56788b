import { useLocation } from "react-router";

import { href } from "../paths.ts";

/** No address of ours is longer; a made-up one is not repeated for each form of a page. */
const MAX_LENGTH = 1000;

/**
 * The address of this very page, for a form that is sent to it. Some text browsers drop the query from the address of a form that
 * names none, and with it the step or the dialog.
 */
export function usePageAddress(): string | undefined {
  const { pathname, search } = useLocation();
  const address = href(pathname + search);
  return address.length <= MAX_LENGTH ? address : undefined;
}
