/** A whole number from 1 within the range of a database key; `undefined` for any other text. */
export function toCount(text: string): number | undefined {
  return /^[1-9]\d{0,8}$/.test(text) ? Number(text) : undefined;
}
