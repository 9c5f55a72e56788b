import { useCallback, useEffect, useRef } from "react";
import { NavigationType, useLocation, useNavigationType } from "react-router";

/**
 * Tells whether a page, such as `/?view=read`, is the one that Back would show. Browsers do not say, so it is noted for each entry
 * of history that script has made; of others, such as a step to a place on the page, nothing is known and the answer is no.
 */
export function useOneBack(): (path: string) => boolean {
  const location = useLocation();
  const how = useNavigationType();
  const here = location.pathname + location.search;
  const last = useRef({ key: location.key, page: here });
  /** The pages before, by the key of the entry that each lies before. */
  const before = useRef(new Map<string, string | undefined>());

  useEffect(() => {
    if (how === NavigationType.Push) before.current.set(location.key, last.current.page);
    if (how === NavigationType.Replace) before.current.set(location.key, before.current.get(last.current.key));
    last.current = { key: location.key, page: here };
  }, [how, location.key, here]);

  return useCallback((path) => before.current.get(keyInHistory()) === path, []);
}

/** Asked of the browser, not of the last render: the entry one is at may be newer than that. */
function keyInHistory(): string {
  return (window.history.state as { key?: string } | null)?.key ?? "";
}
