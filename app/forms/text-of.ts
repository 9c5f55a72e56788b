/** The text of a form's field; a field that is not there, or a file, has none. */
export function textOf(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === "string" ? value : "";
}
