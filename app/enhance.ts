import { useEffect, useRef } from "react";
import { useLocation, useNavigate, useSubmit } from "react-router";

import { forgetSettledHearts, wishHeart } from "./hearts.ts";
import { moveFocus } from "./move-focus.ts";
import { useOneBack } from "./one-back.ts";
import { isUnderBase, stripBase } from "./paths.ts";
import { usePostInPlace, useTopAfterPost } from "./post-in-place.ts";

/**
 * What script adds to the whole site. Pages are plain links and forms that work by themselves; one listener for each
 * turns them into navigations and submissions without a reload. That keeps hundreds of links a page as cheap as HTML.
 *
 * Markup can say more: `data-native` leaves a link or form, or all within, to the browser; `data-back` means "back in
 * history if that is where I came from"; `data-focus="#id"` names what gets the focus on the next screen; `data-stay`
 * keeps the scroll; `data-step` on a form keeps its page in history, for Back from the step that it leads to.
 *
 * It says itself: `data-pressed` on a link from the press to the new screen, for looks that answer at once, and
 * `data-enhanced` on the document, for whoever drives a browser: a click or a submit is ours from now on.
 */
export function useEnhancement(): void {
  const navigate = useNavigate();
  const submit = useSubmit();
  const post = usePostInPlace();
  const location = useLocation();
  const isOneBack = useOneBack();
  const here = location.pathname + location.search;
  const last = useRef(here);
  const wantedFocus = useRef<string>(undefined);
  useTopAfterPost();

  useEffect(() => {
    if (here === last.current) return;
    last.current = here;
    forgetSettledHearts();
    moveFocus(wantedFocus.current, location.hash);
    wantedFocus.current = undefined;
  }, [here, location.hash]);

  useEffect(() => {
    function onClick(event: MouseEvent): void {
      const link = event.target instanceof Element ? event.target.closest("a") : null;
      if (!link || event.defaultPrevented || !isPlainClick(event) || !isOurs(link)) return;
      const path = stripBase(link.pathname) + link.search;
      if (link.hash && path === last.current) return;
      event.preventDefault();
      link.closest<HTMLElement>("[popover]")?.hidePopover();
      wantedFocus.current = link.dataset.focus;
      if ("back" in link.dataset && isOneBack(path)) return void navigate(-1);
      // As browsers do: a link to the page one is on leaves no second entry in history.
      const replace = path === last.current;
      link.dataset.pressed = "";
      void Promise.resolve(navigate(path + link.hash, { replace, preventScrollReset: "stay" in link.dataset })).finally(
        () => delete link.dataset.pressed,
      );
    }

    function onSubmit(event: SubmitEvent): void {
      const form = event.target;
      if (!(form instanceof HTMLFormElement) || event.defaultPrevented || isNative(form)) return;
      event.preventDefault();
      if ("hearts" in form.dataset && event.submitter instanceof HTMLButtonElement) {
        return wishHeart(event.submitter.value, event.submitter.name === "save");
      }
      // A second press while the first is under way is the same wish.
      if (form.ariaBusy === "true") return;
      // A place on the page is for loads without script: here the focus goes where the answer is.
      const { pathname, search } = new URL(form.getAttribute("action") ?? "", window.location.href);
      const action = { action: stripBase(pathname) + search };
      const source = (event.submitter as HTMLButtonElement | null) ?? form;
      if (form.method === "post") void post(source, { ...action, replace: !("step" in form.dataset) });
      else void submit(source, action);
    }

    document.addEventListener("click", onClick);
    document.addEventListener("submit", onSubmit);
    document.documentElement.dataset.enhanced = "";
    return () => {
      document.removeEventListener("click", onClick);
      document.removeEventListener("submit", onSubmit);
    };
  }, [navigate, submit, post, isOneBack]);
}

function isPlainClick(event: MouseEvent): boolean {
  return event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
}

function isOurs(link: HTMLAnchorElement): boolean {
  if (link.hasAttribute("download") || isNative(link)) return false;
  const opensHere = link.target === "" || link.target === "_self";
  return opensHere && link.origin === window.location.origin && isUnderBase(link.pathname);
}

function isNative(element: Element): boolean {
  return element.closest("[data-native]") !== null;
}
