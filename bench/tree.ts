import { once } from "node:events";
import { join } from "node:path";
import { Secret, TOTP } from "otpauth";

import { ALL_IS_THERE, untilSays } from "./cms-app.ts";
import { EVERYDAY_CARDS } from "./pages.ts";
import { ask, decode, logIn, type Reply } from "./requests.ts";
import { readStart, startServer } from "./servers.ts";
import type { App } from "./stage.ts";

/** The product of a tree: a member with a page of favourites and films that were begun, and an operator at the desk. */
export type Tree = App &
  AsyncDisposable & {
    /** The operator's cookie; `undefined` in a release whose invitation looks different. */
    desk: string | undefined;
  };

const BEGUN_FILMS = 4;
const OPERATOR_PASSWORD = "lantern-moss-4711";

/** Runs it as its own `npm start` does. */
export async function openTree(options: { folder: string; dataDir: string; cmsUrl: string }): Promise<Tree> {
  const { flags, env: malloc } = readStart(options.folder);
  const env = {
    BUILD_DIR: join(options.folder, "build"),
    DATA_DIR: options.dataDir,
    CMS_URL: options.cmsUrl,
    TRUST_PROXY: "loopback",
  };
  const command = [...flags, join(import.meta.dirname, "serve-tree.ts")];
  const server = await startServer(command, { env, malloc, cwd: options.folder });
  const member = { server, cookie: await logIn(server) };
  await untilSays(member, ALL_IS_THERE);
  for (let id = 1; id <= EVERYDAY_CARDS; id += 1) await post(member, "/favourites.data", { save: `watch-${id}` });
  for (let id = 1; id <= BEGUN_FILMS; id += 1) {
    await post(member, "/positions.data", { keep: `watch-${id}`, seconds: "100", duration: "600", age: "0" });
  }
  return { ...member, desk: await openDesk(member), [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
}

async function openDesk({ server }: App): Promise<string | undefined> {
  server.child.send("invitation");
  const [invitation] = (await once(server.child, "message")) as [string];
  const send = (fields: Record<string, string>) =>
    post({ server, cookie: "" }, `/desk?invitation=${invitation}`, fields);
  const [, key] = /<code>([A-Z2-7 ]+)<\/code>/.exec(await decode(await send({ intent: "show-secret" }))) ?? [];
  if (!key) return undefined;
  const { headers } = await send({
    intent: "accept-invitation",
    password: OPERATOR_PASSWORD,
    passwordConfirmation: OPERATOR_PASSWORD,
    code: new TOTP({ secret: Secret.fromBase32(key.replaceAll(" ", "")) }).generate(),
  });
  return headers["set-cookie"]?.[0]?.split(";")[0];
}

function post({ server: { origin }, cookie }: App, path: string, fields: Record<string, string>): Promise<Reply> {
  return ask(origin + path, {
    method: "POST",
    headers: { Cookie: cookie, Origin: origin, "Content-Type": "application/x-www-form-urlencoded" },
    body: new URLSearchParams(fields).toString(),
  });
}
