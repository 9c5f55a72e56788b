/** The text of a form's field; a field that is not there, or a file, has none. */
export function readText(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === "string" ? value : "";
}

/** A whole number from 1 that a database and a URL can carry, as forms and addresses have it; `undefined` for any other text. */
export function toCount(text: string): number | undefined {
  return /^[1-9]\d{0,8}$/.test(text) ? Number(text) : undefined;
}
