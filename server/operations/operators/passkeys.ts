import type { BegunPasskey, PasskeyAnswer, PasskeyOwner, PasskeySite } from "../../platform/passkeys/passkeys.ts";
import { findOperator, type Operator, type OperatorsContext } from "./context.ts";

/** An operator's passkey is both factors of their log-in. */

export function toOwner(operatorId: number): PasskeyOwner {
  return { kind: "operator", id: operatorId };
}

export function beginPasskey(
  { passkeys, productName }: OperatorsContext,
  { id, email, name }: Operator,
  site: PasskeySite,
): Promise<BegunPasskey> {
  return passkeys.beginAdding({ ...toOwner(id), rpName: `${productName} desk`, email, name }, site);
}

export async function addPasskey(
  { db, audit, passkeys }: OperatorsContext,
  operator: Operator,
  { name, ...answer }: PasskeyAnswer & { name: string },
): Promise<boolean> {
  const passkey = await passkeys.verifyNew(answer);
  if (!passkey) return false;
  return db.transaction().execute(async (trx) => {
    const isAdded = await passkeys.add(toOwner(operator.id), { ...passkey, name }, trx);
    if (isAdded) await audit.record({ operator: operator.email, action: "desk passkey added", facts: {} }, trx);
    return isAdded;
  });
}

export async function provePasskey(ctx: OperatorsContext, answer: PasskeyAnswer): Promise<Operator | undefined> {
  const proved = await ctx.passkeys.prove("operator", answer);
  return proved && findOperator(ctx.db, proved.ownerId);
}
