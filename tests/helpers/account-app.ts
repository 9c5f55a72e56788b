import type { Member, NewMember } from "../../server/accounts/accounts.ts";
import type { SaveProfileResult } from "../../server/accounts/profile.ts";
import type { Engine } from "../../server/database/database.ts";
import type { Message } from "../../server/email/sending.ts";
import { type App, type AppOptions, openApp } from "./app.ts";

/** Ada's own network. */
export const home = { address: "198.51.100.7", site: "http://dormouse.test/" };
/** Another one. */
export const elsewhere = { ...home, address: "203.0.113.9" };

export const ada: NewMember = {
  email: "Ada@dormouse.example",
  password: "sleep-well-tonight",
  firstName: "Ada",
  lastName: "Lovell",
  accountType: "individual",
};
export const NEW_PASSWORD = "a-quiet-hedge-at-dusk";

export type AccountApp = App & {
  memberId: number;
  register(details?: Partial<NewMember>): Promise<Member>;
  /** The latest email to an address, once all have left. */
  findEmail(to: string, subject?: string): Promise<Message | undefined>;
  /** The code and the link's token of that email. */
  readEmail(to: string, subject?: string): Promise<{ code: string; token: string }>;
  /** Asks for another address as Ada does, from the form as it is shown now. */
  askForAddress(email: string): Promise<SaveProfileResult>;
  canLogIn(email: string, password: string): Promise<boolean>;
  /** A session that was started just now. */
  start(): Promise<string>;
  isLoggedIn(token: string): Promise<boolean>;
};

/** An app with one member, Ada. */
export async function openAccountApp(engine: Engine, options: AppOptions = {}): Promise<AccountApp> {
  const app = await openApp(engine, options);
  const { services } = app;
  const register: AccountApp["register"] = async (details = {}) => {
    const member = await services.accounts.register({ ...ada, ...details });
    if (!member) throw new Error("This address is taken");
    return member;
  };
  const findEmail: AccountApp["findEmail"] = async (to, subject) => {
    await services.outbox.deliver();
    return app.emails.findLast((mail) => mail.to === to && (!subject || mail.subject === subject));
  };
  const { id: memberId } = await register();
  return {
    ...app,
    memberId,
    register,
    findEmail,
    async readEmail(to, subject) {
      const text = (await findEmail(to, subject))?.text ?? "";
      return {
        code: /^\d{6}$/m.exec(text)?.[0] ?? "",
        token: /^http\S+[?&](?:token|undo|reopen)=(\S+)$/m.exec(text)?.[1] ?? "",
      };
    },
    async askForAddress(email) {
      const shown = await services.profile.find(memberId);
      if (!shown) throw new Error("Ada has gone");
      return services.profile.save({ ...home, memberId, shown, wanted: { ...shown, email }, password: ada.password });
    },
    canLogIn: async (email, password) =>
      (await services.logIn({ email, password, address: `192.0.2.${(attempts += 1) % 250}` })).ok,
    start: async () => (await services.sessions.start(memberId)).token,
    isLoggedIn: async (token) => (await services.sessions.find(token)) !== undefined,
  };
}

let attempts = 0;
