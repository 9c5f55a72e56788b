import { openHostileProvider, type HostileProvider } from "../fakes/hostile-provider.ts";
import { createFixedContent } from "./fixed-content.ts";
import { openFront } from "./remote-app.ts";
import { createTestClock } from "./test-clock.ts";

/** The call that says whether a subscription is active, and so whether the member's token is still accepted. */
export const STATUS = "subscription/getsubscriptionstatus";

/** What the provider calls the one member that it knows. */
export const ADA = 7;

const ada = { id: ADA, first_name: "Ada", last_name: "Lovell", email: "ada@app.example" };
/** No test here lets the provider keep silent, so that a busy machine is waited for. */
const patience = { callInMs: 5000, pauseInMs: 1 };

/** A front of a provider that knows one member and does as it is told, for what depends on its answers. */
export async function openFrontApp() {
  const provider = await openHostileProvider();
  const clock = createTestClock();
  const front = await openFront(provider.url, { clock, content: createFixedContent(), providerPatience: patience });
  welcomeAda(provider);
  const credentials = { email: ada.email, password: "sleep-well-tonight", address: "198.51.100.1" };
  return {
    ...front,
    provider,
    /** Logs in, with the token that the provider gives for it. */
    async enter(given = "good"): Promise<string> {
      provider.behave({ json: { jwt_token: given } }, "users/grabtoken");
      return this.enterAsToldTo();
    },
    /** Logs in with whatever the provider answers. */
    async enterAsToldTo(): Promise<string> {
      const result = await front.services.logIn(credentials);
      if (!result.ok) throw new Error(result.reason);
      return result.session.token;
    },
    count: (path: string) => provider.seen.filter((call) => call.path === path).length,
    /** The tokens that a call was made with, in order. */
    tokensOf: (path: string) =>
      provider.seen.filter((call) => call.path === path).map(({ headers }) => headers.authorization),
    findAccess: () => front.services.membership.findAccess(ADA),
    async [Symbol.asyncDispose]() {
      await front[Symbol.asyncDispose]();
      await provider[Symbol.asyncDispose]();
    },
  };
}

function welcomeAda(provider: HostileProvider): void {
  provider.behave({ json: { jwt_token: "good" } }, "users/grabtoken");
  provider.behave({ json: ada }, "users/login");
  provider.behave({ json: [{ ...ada, id: undefined }] }, "users/getcurrentuser");
  provider.behave({ json: true }, STATUS);
  provider.behave({ json: [] }, "users/fetchCustomers");
}
