type Deletion = { executeTakeFirst(): Promise<{ numDeletedRows: bigint }> };
type Change = Deletion | { executeTakeFirst(): Promise<{ numUpdatedRows: bigint }> };

/** Deletes or updates; returns how many rows. */
export async function countChanged(change: Change): Promise<number> {
  const result = await change.executeTakeFirst();
  return Number("numDeletedRows" in result ? result.numDeletedRows : result.numUpdatedRows);
}

/** Deletes or updates; returns whether there was a row. */
export async function hasChanged(change: Change): Promise<boolean> {
  return (await countChanged(change)) > 0;
}

/** One such statement ends well within PostgreSQL's limit, and lets pages run between two on SQLite. */
const ROWS_AT_ONCE = 500;

/** `deleteSome` deletes at most `limit` rows in one statement. Returns how many rows were deleted. */
export async function deleteInBatches(deleteSome: (limit: number) => Deletion): Promise<number> {
  for (let count = 0; ;) {
    const some = await countChanged(deleteSome(ROWS_AT_ONCE));
    count += some;
    if (some < ROWS_AT_ONCE) return count;
  }
}
