import type { Queries } from "../database/database.ts";

/** Which member has each of these addresses (`toEmailKey`) by now; what nobody has is left out. */
export async function findHolders(emailKeys: string[], db: Queries): Promise<Map<string, number>> {
  const found = await db
    .selectFrom("members")
    .select(["id", "email_key"])
    .where("email_key", "in", emailKeys)
    .execute();
  return new Map(found.map(({ id, email_key: key }) => [key, id]));
}
