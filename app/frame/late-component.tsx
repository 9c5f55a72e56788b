import { type ComponentType, createElement, lazy } from "react";

type LateComponent<Props> = ComponentType<Props> & {
  /** As on the server, and on a page that the server drew with it. Otherwise a Suspense boundary can wait for it. */
  isLoaded: () => boolean;
};

const loading: Promise<unknown>[] = [];

/** Resolves once the page can be rendered, or hydrated as the server rendered it. */
export async function waitForLateComponents(): Promise<void> {
  await Promise.all(loading);
}

/**
 * A component that most pages do not have: its script is fetched where it is shown. If the server has drawn an element
 * with this id, hydration waits for that script. The module that calls this imports the style sheet, which is needed
 * without script.
 */
export function createLateComponent<Props extends object>(
  id: string,
  load: () => Promise<ComponentType<Props>>,
): LateComponent<Props> {
  let content: ComponentType<Props> | undefined;
  const isInPage = () => document.getElementById(id) !== null;
  const loadOrWait = () => load().catch(() => waitWithoutScript(isInPage()));
  const Late = lazy(async () => ({ default: await loadOrWait() })) as ComponentType<Props>;
  if (import.meta.env.SSR || isInPage()) loading.push(loadOrWait().then((loaded) => (content = loaded)));
  return Object.assign((props: Props) => createElement(content ?? Late, props), {
    isLoaded: () => content !== undefined,
  });
}

/** Where the script is lost, a page of the server stays plain links and forms; any other is loaded from the server. */
function waitWithoutScript(isInPage: boolean): Promise<never> {
  if (!isInPage) window.location.reload();
  return new Promise(() => undefined);
}
