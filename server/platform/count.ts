/** A whole number from 1 within the range of a database key; `undefined` for any other text. */
export function toCount(text: string): number | undefined {
  return /^[1-9]\d{0,8}$/.test(text) ? Number(text) : undefined;
}

/** An empty list has one page. */
export function countPages(total: number, size: number): number {
  return Math.max(1, Math.ceil(total / size));
}

/** Pages count from 1; `undefined` past the end. */
export function takePage<Each>(
  all: Each[],
  { page, size }: { page: number; size: number },
): { items: Each[]; pageCount: number } | undefined {
  const pageCount = countPages(all.length, size);
  if (!Number.isInteger(page) || page < 1 || page > pageCount) return undefined;
  return { items: all.slice((page - 1) * size, page * size), pageCount };
}
