/** Somebody asks us to change what the provider keeps, and has no call for. */
export class KeptElsewhereError extends Error {
  override name = "KeptElsewhereError";

  constructor(what: string) {
    super(`${what} are kept by the provider at API_URL, and changed there.`);
  }
}
