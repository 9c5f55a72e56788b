import type { Services } from "../server/services.ts";
import { readCookie, secretAttributes } from "./cookies.ts";

/**
 * A few facts that a browser carries for us from one page to the next, for minutes: sealed, so that nobody else reads or
 * alters them, and good until a moment that is sealed with them.
 */
export type SealedCookie<Facts> = {
  /** What the browser has brought; `undefined` when it is nothing of ours or too old. */
  read(request: Request, at: Place): Facts | undefined;
  /** The header that has it carry these; `undefined` when they are more than a browser takes. */
  write(facts: Facts, at: Place): string | undefined;
  /** The header that has it forget. */
  clear(at: Place): string;
};

/** The page, and the services behind it. */
type Place = { url: URL; services: Services };

/** Browsers take 4,096 bytes for name, value and attributes, and many headers must fit beside it. */
const MAX_VALUE_LENGTH = 3000;

type Setting = { name: string; lifeInMinutes: number };

export function createSealedCookie<Facts>({ name, lifeInMinutes }: Setting): SealedCookie<Facts> {
  type Sealed = { name: string; until: number; facts: Facts };
  const fullName = (url: URL) => (url.protocol === "https:" ? `__Host-dormouse-${name}` : `dormouse-${name}`);

  return {
    read(request, { url, services }) {
      const value = readCookie(request, fullName(url));
      const text = value === undefined ? undefined : services.cookieSeal.open(value);
      if (text === undefined) return undefined;
      const sealed = JSON.parse(text) as Sealed;
      // All our cookies have one seal: each says which it is.
      return sealed.name === name && sealed.until > services.clock().getTime() ? sealed.facts : undefined;
    },

    write(facts, { url, services }) {
      const sealed: Sealed = { name, until: services.clock().getTime() + lifeInMinutes * 60_000, facts };
      const value = services.cookieSeal.seal(JSON.stringify(sealed));
      if (value.length > MAX_VALUE_LENGTH) return undefined;
      return `${fullName(url)}=${value}; ${secretAttributes(url)}; Max-Age=${lifeInMinutes * 60}`;
    },

    clear: ({ url }) => `${fullName(url)}=; ${secretAttributes(url)}; Max-Age=0`,
  };
}
