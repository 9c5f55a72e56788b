import { useEffect, useRef, useState, type SyntheticEvent } from "react";
import { useLocation, useNavigation } from "react-router";

import { textOf } from "../../forms/text-of.ts";
import { usePostInPlace } from "../../post-in-place.ts";
import type { CardFieldsHandle } from "./card-fields/card-fields.ts";
import type { PaymentScreen } from "./payment-screen.ts";
import { isConfirmation } from "./steps.ts";

type PaymentStage = "idle" | "processing" | "joined" | "waiting";

/** So long it may take from "paid" to the confirmation before the button says that it takes its time. */
const WAITING_AFTER_IN_MS = 1500;

/**
 * Paying where script runs: the card goes to the gateway first, then the form to us with what the gateway called it. Until the
 * card fields are there, and where the server will have something to say anyway, the form is sent as it stands.
 */
export function usePayment({ payer }: PaymentScreen) {
  const post = usePostInPlace();
  const { pathname, search } = useLocation();
  const { state, formData, location } = useNavigation();
  const cardFields = useRef<CardFieldsHandle | null>(null);
  const [isPreparing, setIsPreparing] = useState(false);
  const [isSlow, setIsSlow] = useState(false);
  const [isElsewhere, setIsElsewhere] = useState(false);
  const isBusy = useRef(false);

  const isPaying = formData?.get("intent") === "pay";
  const isConfirmed = useLeaveForConfirmation();
  const isJoined = isConfirmed || (isPaying && state === "loading" && isConfirmation(location.search));
  const joined: PaymentStage = isSlow ? "waiting" : "joined";
  const stage: PaymentStage = isJoined ? joined : isPaying || isPreparing ? "processing" : "idle";

  useEffect(() => {
    if (!isJoined) return undefined;
    const timer = setTimeout(() => setIsSlow(true), WAITING_AFTER_IN_MS);
    return () => clearTimeout(timer);
  }, [isJoined]);

  async function onSubmit(event: SyntheticEvent<HTMLFormElement>): Promise<void> {
    if (!isToPay(event.nativeEvent)) return;
    const form = new FormData(event.currentTarget);
    const postcode = textOf(form, "postcode").trim();
    if (!cardFields.current || postcode === "") return;
    event.preventDefault();
    if (isBusy.current || isPaying) return;
    isBusy.current = true;
    setIsPreparing(true);
    try {
      const prepared = await cardFields.current.prepare({ ...payer, postcode });
      if (!prepared) return;
      form.set("intent", "pay");
      form.set("methodId", prepared.methodId);
      await post(form, { action: pathname + search });
    } finally {
      isBusy.current = false;
      setIsPreparing(false);
    }
  }

  return { stage, cardFields, isElsewhere, onElsewhere: setIsElsewhere, onSubmit };
}

/** The email's code goes with the same form, by buttons of its own. */
function isToPay(event: Event): boolean {
  const button = event instanceof SubmitEvent ? event.submitter : null;
  return !(button instanceof HTMLButtonElement) || button.value === "pay";
}

/** Whether the browser has begun to load the confirmation as a document, where it can tell. */
function useLeaveForConfirmation(): boolean {
  const [isLeaving, setIsLeaving] = useState(false);
  useEffect(() => {
    const onNavigate = ({ destination }: NavigateEvent) => {
      if (isConfirmation(new URL(destination.url).search)) setIsLeaving(true);
    };
    // Kept by the browser while its next page was looked at, this one would go on waiting for it.
    const onShow = ({ persisted }: PageTransitionEvent) => {
      if (persisted) window.location.reload();
    };
    const navigation = "navigation" in window ? window.navigation : undefined;
    navigation?.addEventListener("navigate", onNavigate);
    window.addEventListener("pageshow", onShow);
    return () => {
      navigation?.removeEventListener("navigate", onNavigate);
      window.removeEventListener("pageshow", onShow);
    };
  }, []);
  return isLeaving;
}
