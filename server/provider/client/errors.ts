import { ProviderError, type ProviderRefusal } from "./line.ts";

/** Not now: nothing is said of what was asked. */
export function isAway({ status }: ProviderRefusal): boolean {
  return status === 429 || status >= 500;
}

/** For a refusal that nobody who asked could have caused. */
export function toError({ status, message }: ProviderRefusal): ProviderError {
  return new ProviderError(`The provider answered ${status}: ${message}`, { isUnreachable: status >= 500 });
}

/** Somebody asks us to change what the provider keeps, and has no call for. */
export class KeptElsewhereError extends Error {
  override name = "KeptElsewhereError";

  constructor(what: string) {
    super(`${what} are kept by the provider at API_URL, and changed there.`);
  }
}
