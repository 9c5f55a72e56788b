import { useCallback, useLayoutEffect, useRef } from "react";
import { useLocation, useSubmit, type Location, type SubmitOptions, type SubmitTarget } from "react-router";

/** A form is on its way. The router does not tell its navigations apart once they have arrived. */
let isPosted = false;

/** Posts a form whose page stays where it was scrolled to if the form is refused. */
export function usePostInPlace(): (form: SubmitTarget, options?: SubmitOptions) => Promise<void> {
  const submit = useSubmit();
  return useCallback(
    (form, options) => {
      isPosted = true;
      return submit(form, { method: "post", ...options, preventScrollReset: true });
    },
    [submit],
  );
}

/** The screen that such a form led to begins at its top, as after a page load. */
export function useTopAfterPost(): void {
  const location = useLocation();
  const last = useRef(location);
  // Each arrival has a location of its own, with the same address too.
  useLayoutEffect(() => {
    const isElsewhere = addressOf(location) !== addressOf(last.current);
    if (isPosted && isElsewhere) window.scrollTo({ top: 0, behavior: "instant" });
    isPosted = false;
    last.current = location;
  }, [location]);
}

function addressOf({ pathname, search }: Location): string {
  return pathname + search;
}
