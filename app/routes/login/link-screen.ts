import type { Services } from "../../../server/services.ts";

/** What a link of an email opens. Loading it changes nothing: mail scanners follow links (design, section 3). */
export type LinkScreen =
  | { name: "link"; kind: LinkKind; token: string; email: string | undefined }
  | { name: "bad-link"; kind: LinkKind };

/** To choose a new password, to prove a new address, to give the old one back, to open a closed account. */
export type LinkKind = "reset" | "confirm" | "undo" | "reopen";

/** No token of ours is longer: the longest brings a sealed address along. */
const TOKEN_MAX_LENGTH = 1000;

/** The screen of an email's link; `undefined` when the address is none. */
export async function findLinkScreen(services: Services, params: URLSearchParams): Promise<LinkScreen | undefined> {
  const link = readLink(params);
  if (!link) return undefined;
  const { kind, token } = link;
  const found = token.length <= TOKEN_MAX_LENGTH ? await finders[kind](services, token) : undefined;
  return found ? { name: "link", kind, token, email: found.email } : { name: "bad-link", kind };
}

function readLink(params: URLSearchParams): { kind: LinkKind; token: string } | undefined {
  const token = params.get("token");
  if (params.get("reset") === "3" && token !== null) return { kind: "reset", token };
  for (const kind of ["confirm", "undo", "reopen"] as const) {
    const named = params.get(kind);
    if (named !== null) return { kind, token: named };
  }
  return undefined;
}

/** Whether a link works, and for which address: a page may say it to whoever holds the link. */
const finders: Record<LinkKind, (services: Services, token: string) => Promise<{ email?: string } | undefined>> = {
  reset: async ({ passwordReset }, token) => ((await passwordReset.peekLink(token)) ? {} : undefined),
  confirm: ({ profile }, token) => profile.findEmailLink(token),
  undo: ({ profile }, token) => profile.findUndo(token),
  reopen: ({ closure }, token) => closure.findReopening(token),
};
