import type { Person } from "../accounts/accounts.ts";
import type { PersonalDataRooms } from "./personal-data.ts";

/** The function that gathers what every room holds about a member (`PersonalData.gather`). */
export function createGather(rooms: PersonalDataRooms) {
  const { accounts, avatars, membership, codes, sessions, favourites } = rooms;
  const { signUp, payments, outbox, audit, clock } = rooms;
  return async (person: Person) => {
    const { memberId } = person;
    const picture = await avatars.findFor(memberId);
    const actions = await audit.listFor(memberId);
    return {
      exportedAt: clock(),
      member: await accounts.findRecord(memberId),
      picture: picture && {
        ...picture,
        contentType: "image/webp",
        bytes: Buffer.from(picture.bytes).toString("base64"),
      },
      subscriptions: await membership.listFor(memberId),
      seats: await codes.listSeatsFor(memberId),
      sessions: await sessions.listFor(memberId),
      favourites: await favourites.listFor(memberId),
      drafts: await signUp.listDraftsFor(person),
      orders: await payments.listFor(person),
      letters: await outbox.listFor(person),
      // What was done, not which colleague did it: that is the operator's own data.
      operatorActions: actions.map(({ at, action, facts }) => ({ at, action, facts })),
    };
  };
}
