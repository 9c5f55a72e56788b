import { type ActionFunctionArgs, redirect } from "react-router";

import { formatDateTime } from "../../../../server/platform/format.ts";
import type { Services } from "../../../../server/services.ts";
import { requestSource } from "../../../frame/context.ts";
import { readText } from "../../../forms/read-text.ts";
import { requireServices } from "../../../frame/middleware/guards.ts";
import type { LinkKind, Outcome } from "./link-texts.ts";
import { linkPath, outcomePath } from "./paths.ts";
import { goOn } from "./reset.ts";

/**
 * The screen of an emailed link. Loading it changes nothing: mail scanners follow links (docs/behaviour.md, Screens).
 */
export type LinkScreen =
  | { name: "link"; kind: LinkKind; token: string; email: string | undefined; until: string | undefined }
  | { name: "bad-link"; kind: LinkKind };

/** `isMember`: this browser is logged in. */
export type OutcomeScreen = { name: "outcome"; outcome: Outcome; isMember: boolean };

/** The longest token of ours contains a sealed address. */
const TOKEN_MAX_LENGTH = 1000;

/** `undefined` for any other address. */
export async function findLinkScreen(services: Services, params: URLSearchParams): Promise<LinkScreen | undefined> {
  const link = readLink(params);
  if (!link) return undefined;
  const { kind, token } = link;
  const found = token.length <= TOKEN_MAX_LENGTH ? await finders[kind](services, token) : undefined;
  return found ? { name: "link", kind, token, email: found.email, until: found.until } : { name: "bad-link", kind };
}

function readLink(params: URLSearchParams): { kind: LinkKind; token: string } | undefined {
  const token = params.get("token");
  if (params.get("reset") === "3" && token !== null) return { kind: "reset", token };
  for (const kind of ["enter", "confirm", "answer", "undo", "reopen"] as const) {
    const named = params.get(kind);
    if (named !== null) return { kind, token: named };
  }
  return undefined;
}

/** `until`: when the pending change takes effect. */
type Found = { email?: string; until?: string | undefined };

/** Finds the address of a valid link. The page may show it, because only the email has the link. */
const finders: Record<LinkKind, (services: Services, token: string) => Promise<Found | undefined>> = {
  reset: async ({ passwordReset }, token) => ((await passwordReset.peekLink(token)) ? {} : undefined),
  enter: async ({ logInLink }, token) => ((await logInLink.peek(token)) ? {} : undefined),
  confirm: ({ profile }, token) => profile.findEmailLink(token),
  answer: async ({ profile }, token) => {
    const found = await profile.findAddressQuestion(token);
    return found && { email: found.newEmail, until: found.countsFrom && formatDateTime(found.countsFrom) };
  },
  undo: ({ profile }, token) => profile.findUndo(token),
  reopen: ({ closure }, token) => closure.findReopening(token),
};

/** Leads to the new password, on any device. */
export async function openReset(form: FormData, args: ActionFunctionArgs) {
  const token = readText(form, "token");
  const grant = await requireServices(args.context).passwordReset.useLink(token);
  return grant === undefined ? redirect(linkPath("reset", token), 303) : goOn({ grant }, 3, args);
}

export const confirmEmail = answerLink(
  "confirm",
  ({ profile }, token, site) => profile.confirmEmailByLink(token, site),
  {
    confirmed: "email-confirmed",
    held: "email-held",
    "email-registered": "email-taken",
  },
);

const addressAnswers = {
  kept: "address-kept",
  agreed: "address-agreed",
  moved: "address-moved",
  "email-registered": "email-taken",
} as const;

export const agreeToAddress = answerLink(
  "answer",
  ({ profile }, token, site) => profile.answerAddressChange({ token, isAgreed: true, site }),
  addressAnswers,
);

export const keepAddress = answerLink(
  "answer",
  ({ profile }, token, site) => profile.answerAddressChange({ token, isAgreed: false, site }),
  addressAnswers,
);

export const undoEmail = answerLink("undo", ({ profile }, token) => profile.undoEmail(token), {
  undone: "undone",
  "email-registered": "undo-taken",
});

export const reopen = answerLink("reopen", ({ closure }, token) => closure.reopen(token), {
  reopened: "reopened",
  "reopened-without": "reopened-without",
  "email-taken": "reopen-taken",
});

/** Leads to the outcome, or back to the page of an invalid link, which explains it. */
function answerLink<Result extends string>(
  kind: LinkKind,
  use: (services: Services, token: string, site: string) => Promise<Result | "over">,
  outcomes: Record<Result, Outcome>,
) {
  return async (form: FormData, { context, url }: ActionFunctionArgs) => {
    const token = readText(form, "token");
    const result = await use(requireServices(context), token, requestSource(context, url).site);
    return redirect(result === "over" ? linkPath(kind, token) : outcomePath(outcomes[result]), 303);
  };
}
