import { formatDate } from "../../../server/format.ts";
import type { Services } from "../../../server/services.ts";
import { href } from "../../paths.ts";
import type { Visitor } from "./operator.ts";

/** The operator's passkeys and sessions, and the link by which another browser of theirs finds the desk. */
export async function findAccessScreen({ operators }: Services, { operator, tokenHash }: Visitor, origin: string) {
  const [passkeys, sessions] = await Promise.all([
    operators.listPasskeys(operator.id),
    operators.listSessions(operator.id, tokenHash),
  ]);
  return {
    name: "access" as const,
    title: "Your access",
    email: operator.email,
    role: operator.role,
    doorLink: `${origin}${href("/desk")}?door=${operators.makeDoorKey(operator)}`,
    passkeys: passkeys.map(({ id, name, createdAt, usedAt }) => ({
      id,
      name,
      addedOn: formatDate(createdAt),
      usedOn: usedAt && formatDate(usedAt),
    })),
    sessions: sessions.map(({ device, startedAt, isThis }) => ({ device, startedOn: formatDate(startedAt), isThis })),
  };
}

export type AccessScreen = Awaited<ReturnType<typeof findAccessScreen>>;
