/** One such statement ends well within PostgreSQL's limit, and lets pages run between two on SQLite. */
const ROWS_AT_ONCE = 500;

/** `deleteSome` deletes at most `limit` rows in one statement. Returns how many rows were deleted. */
export async function deleteInBatches(
  deleteSome: (limit: number) => { executeTakeFirst(): Promise<{ numDeletedRows: bigint }> },
): Promise<number> {
  for (let count = 0; ;) {
    const { numDeletedRows } = await deleteSome(ROWS_AT_ONCE).executeTakeFirst();
    count += Number(numDeletedRows);
    if (numDeletedRows < ROWS_AT_ONCE) return count;
  }
}
