/** By id, and by address for rows from before there was an id. */
export type Person = { memberId: number; email: string };

/** The rows of a closed account have the address that it had. Pure, so that pages may use it too. */
export function toPerson({ id, email, closedEmail }: Account): Person {
  return { memberId: id, email: closedEmail ?? email };
}

type Account = { id: number; email: string; closedEmail?: string | undefined };
