import { createAuthenticator, type Lie } from "./authenticator.ts";
import { openMemberApp } from "./account.ts";
import { ada, type AppOptions, home } from "./app.ts";

export const passkeyHost = { host: "dormouse.test", origin: "https://dormouse.test" };
const phone =
  "Mozilla/5.0 (Linux; Android 16) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36";
const { address, site } = home;

/** Ada, logged in by her password, with devices that can make passkeys. */
export async function openPasskeyAccount(options: AppOptions = {}) {
  const app = await openMemberApp(options);
  const { memberPasskeys: passkeys, memberId } = app;
  const logInByPassword = async () => {
    const result = await app.logIn({ email: ada.email, password: ada.password, address });
    return result.ok ? result.session.token : "";
  };
  const token = await logInByPassword();
  const own = { memberId, token };
  const openKey = (user = `member ${memberId}`) => {
    const key = createAuthenticator({ ...passkeyHost, user });
    const sign = async (lie?: Lie) => {
      const { challenge } = (await passkeys.beginLogIn(passkeyHost)).options;
      return { ...passkeyHost, challenge, response: key.sign(challenge, lie) };
    };
    return {
      sign,
      async add(session = own) {
        const challenge = (await passkeys.beginAdding(session, passkeyHost))?.options.challenge ?? "";
        const answer = { ...passkeyHost, challenge, response: key.register(challenge) };
        return passkeys.add({ ...session, answer, userAgent: phone, site });
      },
      logIn: async (lie?: Lie) => passkeys.logIn({ ...(await sign(lie)), address, userAgent: phone }),
    };
  };
  const listNames = async () => (await passkeys.list(memberId)).map(({ name }) => name);
  const remove = async (name: string, endsSessions = false) => {
    const id = (await passkeys.list(memberId)).find((each) => each.name === name)?.id ?? "";
    return passkeys.remove({ ...own, id, endsSessions, site });
  };
  return { ...app, passkeys, own, openKey, listNames, remove, logInByPassword };
}

export async function logInWith(key: { logIn: () => Promise<{ ok: boolean; session?: { token: string } }> }) {
  const result = await key.logIn();
  return result.session?.token ?? "";
}
