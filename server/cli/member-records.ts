import type { Member } from "../accounts/accounts.ts";
import type { Rooms } from "../rooms.ts";

/** Everything that is held about a member, in every room, but for secrets: hashes of passwords, sessions and codes. */
export async function gatherRecords(rooms: Rooms, member: Member) {
  const person = { memberId: member.id, email: member.email };
  const { accounts, membership, codes, sessions, favourites, signUp, payments, outbox, audit, clock } = rooms;
  const actions = await audit.listFor(member.id);
  return {
    exportedAt: clock(),
    member: await accounts.findRecord(member.id),
    subscriptions: await membership.listFor(member.id),
    seats: await codes.listSeatsFor(member.id),
    sessions: await sessions.listFor(member.id),
    favourites: await favourites.listFor(member.id),
    drafts: await signUp.listDraftsFor(person),
    orders: await payments.listFor(person),
    letters: await outbox.listFor(person),
    // What was done, not which colleague did it: that is the operator's own data.
    operatorActions: actions.map(({ at, action, facts }) => ({ at, action, facts })),
  };
}
