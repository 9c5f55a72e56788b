import type { RemoteShop } from "../helpers/remote-shop.ts";

/** Whom `prepareDraft` signs up. */
const EMAIL = "ada@example.org";

/** What really happened: in the provider's books. */
export async function readBooks({ provider }: RemoteShop) {
  const records = await provider.services.payments.listFor({ memberId: 0, email: EMAIL });
  const member = await provider.services.accounts.findByEmail(EMAIL);
  const own = member ? await provider.services.payments.listFor({ memberId: member.id, email: EMAIL }) : records;
  const completed = own.filter(({ order }) => order.state === "completed");
  const taken = own.flatMap(({ payments }) => payments).filter(({ state }) => state === "succeeded");
  const access = member && (await provider.services.membership.findAccess(member.id));
  return { completed: completed.length, taken: taken.length, isActive: access?.isActive ?? false };
}
