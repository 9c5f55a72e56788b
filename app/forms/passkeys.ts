import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from "@simplewebauthn/browser";

import { useEffect, useState } from "react";

import { href } from "../frame/paths.ts";
import { useIsPending } from "./intent-form.tsx";

/* The browser's side of passkeys. The library comes with the first use. */
const loadLibrary = () => import("@simplewebauthn/browser");

/**
 * Whether this page may use them, and the browser has somewhere to store them: the device, a phone beside it, or a
 * password manager of its own, as all relatives of Chrome have. Firefox on Linux has none, and would ask for a USB key.
 */
async function canUsePasskeys(): Promise<boolean> {
  if (!mayUsePasskeys()) return false;
  if ("userAgentData" in navigator) return true;
  // Browsers from before 2025 cannot say it.
  const { hybridTransport } = (await PublicKeyCredential.getClientCapabilities?.()) ?? {};
  return hybridTransport === true || hasScreenLock();
}

/** Not over plain http, at an address of digits, or in another app's browser, which has none although it may claim so. */
function mayUsePasskeys(): boolean {
  const isAddress = /^[\d.]+$|:/.test(location.hostname);
  return "PublicKeyCredential" in window && isSecureContext && !isAddress && !isInApp(navigator.userAgent);
}

/** `undefined` on the server, and until the browser has said it. */
export function useCanUsePasskeys(): boolean | undefined {
  const [canUse, setCanUse] = useState<boolean>();
  useEffect(() => {
    canUsePasskeys().then(setCanUse, () => setCanUse(false));
  }, []);
  return canUse;
}

function isInApp(userAgent: string): boolean {
  const isForeignIos = /\b(?:iPhone|iPad|iPod)\b/.test(userAgent) && !/\bSafari\//.test(userAgent);
  return isForeignIos || /\b(?:FBAN|FBAV|Instagram|Line|GSA)\b|; wv\)/.test(userAgent);
}

/** Whether the device itself has a finger, a face or a screen lock for them. */
export async function hasScreenLock(): Promise<boolean> {
  return mayUsePasskeys() && (await PublicKeyCredential.isUserVerifyingPlatformAuthenticatorAvailable());
}

/** With a sentence for the person. */
class PasskeyRefusal extends Error {}

type Options = {
  "begin-log-in": PublicKeyCredentialRequestOptionsJSON;
  "begin-proof": PublicKeyCredentialRequestOptionsJSON;
  "begin-adding": PublicKeyCredentialCreationOptionsJSON;
};

/** @throws {PasskeyRefusal} with the server's sentence. */
async function fetchOptions<Intent extends keyof Options>(intent: Intent): Promise<Options[Intent]> {
  const answer = await fetch(href("/passkeys"), { method: "POST", body: new URLSearchParams({ intent }) });
  const body = (await answer.json().catch(() => ({}))) as { options?: Options[Intent]; problem?: string };
  if (answer.ok && body.options) return body.options;
  throw new PasskeyRefusal(body.problem ?? "That didn't work. Please try again.");
}

/** The server offers a member a passkey until a page has shown it. */
export async function noteOffer(): Promise<void> {
  await fetch(href("/passkeys"), {
    method: "POST",
    body: new URLSearchParams({ intent: "offer-shown" }),
    keepalive: true,
  });
}

/** The device's answer as JSON, for a form. */
export async function signByPasskey(intent: "begin-log-in" | "begin-proof"): Promise<string> {
  const { startAuthentication } = await loadLibrary();
  return JSON.stringify(await startAuthentication({ optionsJSON: await fetchOptions(intent) }));
}

/**
 * Lets the browser offer passkeys among the addresses of the email field. Settles once the person has chosen one, or
 * when another use begins; `undefined` in a browser that does not offer them there.
 */
export async function offerInEmailField(): Promise<string | undefined> {
  const { browserSupportsWebAuthnAutofill, startAuthentication } = await loadLibrary();
  if (!(await browserSupportsWebAuthnAutofill())) return undefined;
  const optionsJSON = await fetchOptions("begin-log-in");
  return JSON.stringify(await startAuthentication({ optionsJSON, useBrowserAutofill: true }));
}

export async function stopOffering(): Promise<void> {
  const { WebAuthnAbortService } = await loadLibrary();
  WebAuthnAbortService.cancelCeremony();
}

export async function makePasskey(): Promise<string> {
  const { startRegistration } = await loadLibrary();
  return JSON.stringify(await startRegistration({ optionsJSON: await fetchOptions("begin-adding") }));
}

/** The sentence for a use that failed, or that the person ended. */
function problemText(error: unknown): string {
  if (error instanceof PasskeyRefusal) return error.message;
  if (error instanceof Error && error.name === "InvalidStateError") return "This device has a passkey already.";
  return "Your device didn't offer a passkey. Nothing was changed.";
}

/** A press asks the device, and `send` sends its answer as the form of this intent. */
export function usePasskeyButton(intent: string, ask: () => Promise<string>, send: (response: string) => void) {
  const isPending = useIsPending(intent);
  const [isAsking, setIsAsking] = useState(false);
  const [problem, setProblem] = useState<string>();
  const isBusy = isAsking || isPending;
  async function press(): Promise<void> {
    if (isBusy) return;
    setIsAsking(true);
    setProblem(undefined);
    try {
      send(await ask());
    } catch (error) {
      setProblem(problemText(error));
    }
    setIsAsking(false);
  }
  return { isBusy, problem, press };
}
