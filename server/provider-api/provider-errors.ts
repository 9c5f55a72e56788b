import { ProviderError, type ProviderRefusal } from "./provider-client-refusal.ts";

/** Not now: nothing is said of what was asked. */
export function isAway({ status }: ProviderRefusal): boolean {
  return status === 429 || status >= 500;
}

/** For a refusal that nobody who asked could have caused. */
export function toError({ status, message }: ProviderRefusal): ProviderError {
  return new ProviderError(`The provider answered ${status}: ${message}`, { isUnreachable: status >= 500 });
}
