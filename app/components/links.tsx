import { type ComponentProps, type MouseEvent, useEffect, useEffectEvent } from "react";
import { createPath, Link, useLocation, useNavigate, useNavigation } from "react-router";

import { focusNext } from "../frame/focus.ts";
import { href, isUnderBase, screenPaths, stripBase } from "../frame/paths.ts";

type PathLinkProps = Omit<ComponentProps<typeof Link>, "to"> & { to: string };

/** Looks pressed until its screen is shown. */
export function TabLink({ to, ...link }: PathLinkProps) {
  const { location } = useNavigation();
  const isPressed = location !== undefined && createPath({ ...location, hash: "" }) === to;
  return <Link to={to} data-pressed={isPressed ? "" : undefined} {...link} />;
}

/** Closes the menu around a link before the screen changes. Safari before 17 knows no popovers and always shows it. */
export function closeMenu({ currentTarget }: MouseEvent<HTMLAnchorElement>): void {
  currentTarget.closest<HTMLElement>("[popover]")?.hidePopover?.();
}

/** Goes back in history where `to` is the page before. */
export function BackLink({ to, focus, ...link }: PathLinkProps & { focus?: string }) {
  const navigate = useNavigate();
  function goBack(event: MouseEvent): void {
    if (!isPlainClick(event)) return;
    focusNext(focus);
    if (!isPageBefore(to)) return;
    event.preventDefault();
    void navigate(-1);
  }
  return <Link to={to} onClick={goBack} {...link} />;
}

/** Whether Back would show this page within this document; unknown without the Navigation API. */
function isPageBefore(path: string): boolean {
  if (!("navigation" in window)) return false;
  const { currentEntry } = window.navigation;
  const before = window.navigation.entries()[(currentEntry?.index ?? 0) - 1];
  if (!before?.sameDocument || !before.url) return false;
  const { pathname, search } = new URL(before.url);
  return pathname + search === href(path);
}

/**
 * Client-side navigation for plain links to screens, which the server renders in a fraction of a `<Link>`'s time. A
 * link looks pressed until its screen is shown. The document listens, because screen readers call an element with its
 * own listener clickable.
 */
export function usePlainLinks(): void {
  const navigate = useNavigate();
  const { pathname, search } = useLocation();
  const follow = useEffectEvent((event: globalThis.MouseEvent) => {
    const link =
      event.target instanceof Element ? event.target.closest<HTMLAnchorElement>("header a, main a, nav a") : null;
    if (!link || event.defaultPrevented || !isPlainClick(event) || !leadsToScreen(link)) return;
    const path = stripBase(link.pathname) + link.search;
    const isHere = path === pathname + search;
    if (link.hash && isHere) return;
    event.preventDefault();
    link.dataset.pressed = "";
    // My Account opens over the present screen.
    const preventScrollReset = new URLSearchParams(link.search).has("account");
    void Promise.resolve(navigate(path + link.hash, { replace: isHere, preventScrollReset })).finally(
      () => delete link.dataset.pressed,
    );
  });
  useEffect(() => {
    const listen = (event: globalThis.MouseEvent) => follow(event);
    document.addEventListener("click", listen);
    return () => document.removeEventListener("click", listen);
  }, []);
}

/** Excludes clicks with a meaning of their own, such as a new tab. */
export function isPlainClick(event: MouseEvent | globalThis.MouseEvent): boolean {
  return event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
}

/** Whether script can show the target: one of those screens, and no file or separate document, such as Awake now. */
function leadsToScreen({ origin, pathname, target }: HTMLAnchorElement): boolean {
  const isOurs = origin === window.location.origin && isUnderBase(pathname);
  return isOurs && target === "" && screenPaths.includes(stripBase(pathname));
}
