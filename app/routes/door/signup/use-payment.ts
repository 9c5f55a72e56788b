import { type SyntheticEvent, useEffect, useRef, useState } from "react";
import { useLocation, useNavigation, useSubmit } from "react-router";

import { holdWhileBusy } from "../../../forms/intent-form.tsx";
import { readText } from "../../../forms/read-text.ts";
import type { CardFieldsHandle } from "./card-fields/card-fields.ts";
import { useCardProblems } from "./card-fields/card-problems.ts";
import type { PaymentScreen } from "./pay.ts";
import { isConfirmation } from "./steps.ts";

type PaymentStage = "idle" | "processing" | "joined" | "waiting";

/** Afterwards the button shows that the confirmation is slow. */
const WAITING_AFTER_IN_MS = 1500;

/**
 * Paying with script: the gateway gets the card, then we get the form with the payment method's id. Without card
 * fields, or with input that the server refuses anyway, the form is sent as it is.
 */
export function usePayment({ payer, cancelling, verification }: PaymentScreen) {
  const submit = useSubmit();
  const { pathname, search } = useLocation();
  const { state, formData, location } = useNavigation();
  const cardFields = useRef<CardFieldsHandle | null>(null);
  const card = useCardProblems();
  const [isPreparing, setIsPreparing] = useState(false);
  const [isSlow, setIsSlow] = useState(false);
  const [isElsewhere, setIsElsewhere] = useState(false);
  const isBusy = useRef(false);

  const isPaying = formData?.get("intent") === "pay";
  const isConfirmed = useLeaveForConfirmation();
  const isJoined = isConfirmed || (isPaying && state === "loading" && isConfirmation(location.search));
  const joined = isSlow ? "waiting" : "joined";
  const stage: PaymentStage = isJoined ? joined : isPaying || isPreparing ? "processing" : "idle";

  useEffect(() => {
    if (!isJoined) return undefined;
    const timer = setTimeout(() => setIsSlow(true), WAITING_AFTER_IN_MS);
    return () => clearTimeout(timer);
  }, [isJoined]);

  async function onSubmit(event: SyntheticEvent<HTMLFormElement>): Promise<void> {
    holdWhileBusy(event);
    if (event.defaultPrevented || !isToPay(event.nativeEvent)) return;
    if (!cardFields.current) return;
    const form = new FormData(event.currentTarget);
    const postcode = readText(form, "postcode").trim();
    const isAgreed = cancelling !== "start-at-once" || form.has("startsAtOnce");
    const isProved = verification.isVerified || readText(form, "oneTimeCode").trim() !== "";
    const isIncomplete = postcode === "" || !isAgreed;
    const isWrong = card.show(cardFields.current.check());
    // The server then names the missing fields.
    if (isIncomplete && !isWrong) return;
    event.preventDefault();
    if (isBusy.current || isPaying) return;
    const send = (name: string, value: string) => {
      form.set("intent", "pay");
      form.set(name, value);
      return submit(form, { method: "post", action: pathname + search });
    };
    if (isWrong) {
      // The email may have been verified in another window: the server knows, and charges no wrong card.
      if (isIncomplete || !isProved) await send("isCardWrong", "on");
      return;
    }
    isBusy.current = true;
    setIsPreparing(true);
    try {
      const prepared = await cardFields.current.prepare({ ...payer, postcode });
      if ("problems" in prepared) return void card.show(prepared.problems);
      await send("methodId", prepared.methodId);
    } finally {
      isBusy.current = false;
      setIsPreparing(false);
    }
  }

  return { stage, cardFields, card, isElsewhere, onElsewhere: setIsElsewhere, onSubmit };
}

/** The buttons of the email's code send the same form. */
function isToPay(event: Event): boolean {
  const button = event instanceof SubmitEvent ? event.submitter : null;
  return !(button instanceof HTMLButtonElement) || button.value === "pay";
}

/** The browser has begun to load the confirmation as a document, where it can tell. */
function useLeaveForConfirmation(): boolean {
  const [isLeaving, setIsLeaving] = useState(false);
  useEffect(() => {
    const onNavigate = ({ destination }: NavigateEvent) => {
      if (isConfirmation(new URL(destination.url).search)) setIsLeaving(true);
    };
    // A page from the back/forward cache would still wait for the confirmation.
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
