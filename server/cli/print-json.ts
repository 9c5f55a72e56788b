/** JSON for programs: what is not there is null, so that a shape has the same names whatever is in it. */
export function printJson(value: object): string {
  return JSON.stringify(value, (_name, each: unknown) => (each === undefined ? null : each), 2);
}
