import type { Member, NewMember } from "../../server/accounts/accounts.ts";
import type { SaveProfileResult } from "../../server/accounts/profile.ts";
import type { Engine } from "../../server/database/database.ts";
import type { Message } from "../../server/email/mailer.ts";
import { type House, type HouseOptions, openHouse } from "./house.ts";

/** Where Ada sits. */
export const home = { address: "198.51.100.7", site: "http://dormouse.test/" };
/** Where somebody else does. */
export const elsewhere = { ...home, address: "203.0.113.9" };

export const ada: NewMember = {
  email: "Ada@dormouse.example",
  password: "sleep-well-tonight",
  firstName: "Ada",
  lastName: "Lovell",
  accountType: "individual",
};
export const NEW_PASSWORD = "a-quiet-hedge-at-dusk";

export type AccountHouse = House & {
  memberId: number;
  register(details?: Partial<NewMember>): Promise<Member>;
  /** The latest letter to an address, once all have left. */
  findLetter(to: string, subject?: string): Promise<Message | undefined>;
  /** The code and the link's token of that letter. */
  readLetter(to: string, subject?: string): Promise<{ code: string; token: string }>;
  /** Asks for another address as Ada does, from the form as it is shown now. */
  askForAddress(email: string): Promise<SaveProfileResult>;
  canLogIn(email: string, password: string): Promise<boolean>;
  /** A session that was started just now. */
  start(): Promise<string>;
  isLoggedIn(token: string): Promise<boolean>;
};

/** A house with one member, Ada. */
export async function openAccountHouse(engine: Engine, options: HouseOptions = {}): Promise<AccountHouse> {
  const house = await openHouse(engine, options);
  const { rooms } = house;
  const register: AccountHouse["register"] = async (details = {}) => {
    const member = await rooms.accounts.register({ ...ada, ...details });
    if (!member) throw new Error("Somebody has this address");
    return member;
  };
  const findLetter: AccountHouse["findLetter"] = async (to, subject) => {
    await rooms.outbox.deliver();
    return house.letters.findLast((letter) => letter.to === to && (!subject || letter.subject === subject));
  };
  const { id: memberId } = await register();
  return {
    ...house,
    memberId,
    register,
    findLetter,
    async readLetter(to, subject) {
      const text = (await findLetter(to, subject))?.text ?? "";
      return {
        code: /^\d{6}$/m.exec(text)?.[0] ?? "",
        token: /^http\S+[?&](?:token|undo|reopen)=(\S+)$/m.exec(text)?.[1] ?? "",
      };
    },
    async askForAddress(email) {
      const shown = await rooms.profile.find(memberId);
      if (!shown) throw new Error("Ada has gone");
      return rooms.profile.save({ ...home, memberId, shown, wanted: { ...shown, email }, password: ada.password });
    },
    canLogIn: async (email, password) =>
      (await rooms.logIn({ email, password, address: `192.0.2.${(attempts += 1) % 250}` })).ok,
    start: async () => (await rooms.sessions.start(memberId)).token,
    isLoggedIn: async (token) => (await rooms.sessions.find(token)) !== undefined,
  };
}

let attempts = 0;
