/** How wide a picture is asked for, in pixels: `?w=400`. Anything else is no wish. */
export function readWidth(text: string | null): number | undefined {
  return /^[1-9]\d{0,4}$/.test(text ?? "") ? Number(text) : undefined;
}
