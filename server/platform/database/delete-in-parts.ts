/** One statement of so many rows ends well within PostgreSQL's limit, and lets pages have their turn on SQLite. */
const ROWS_AT_ONCE = 500;

/** Deletes rows, however many there are: `deleteSome` deletes at most `limit` of them in one statement. Answers how many went. */
export async function deleteInParts(
  deleteSome: (limit: number) => { executeTakeFirst(): Promise<{ numDeletedRows: bigint }> },
): Promise<number> {
  for (let count = 0; ;) {
    const { numDeletedRows } = await deleteSome(ROWS_AT_ONCE).executeTakeFirst();
    count += Number(numDeletedRows);
    if (numDeletedRows < ROWS_AT_ONCE) return count;
  }
}
