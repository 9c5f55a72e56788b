import type { PayResult } from "../../server/sign-up/sign-up.ts";
import type { App } from "../helpers/app.ts";
import { failing, type Interference } from "./interference.ts";
import { goOn, takeEmail } from "./journeys.ts";
import type { Power } from "./power.ts";
import { ada, authenticate, findChallenge, from, pay, payment } from "./visitor.ts";
import { CODE, EMAILS, type Action, type Start, type Turn } from "./walk-turns.ts";

type Visitor = { token: string; last: PayResult | undefined; sessions: number };

/** An app with its visitors, and what the last turn has told them. */
export type World = {
  app: App;
  gateway: Interference;
  power: Power;
  visitors: Visitor[];
};

/** What a visitor was told by paying. */
export type Told = { who: number; result: PayResult };

/** Brings everybody to the payment. */
export async function begin(starting: Start[], { app, visitors }: World): Promise<void> {
  for (const [place, start] of starting.entries()) {
    const visitor = visitors[place];
    if (!visitor) continue;
    await fillIn(app, visitor, start);
    await verify(app, visitor);
    if (!start.isCorporate) await app.services.signUp.choosePlan(visitor.token, start.planType);
  }
}

/** Does everything of one turn at once; answers what paying visitors were told. */
export async function take(turn: Turn, world: World): Promise<Told[]> {
  const told: Told[] = [];
  await Promise.all(
    turn.map(({ action: each, breaths }) => world.power.live(breaths, () => act(each, world, (one) => told.push(one)))),
  );
  return told;
}

async function act(each: Action, world: World, tell: (told: Told) => void): Promise<void> {
  const { app, gateway } = world;
  const { services, clock } = app;
  const visitor = "who" in each ? world.visitors[each.who] : undefined;
  switch (each.do) {
    case "details":
      if (visitor) await fillIn(app, visitor, each);
      return;
    case "verify":
      if (visitor) await verify(app, visitor);
      return;
    case "plan":
      if (visitor) await services.signUp.choosePlan(visitor.token, each.planType);
      return;
    case "pay":
      if (!visitor) return;
      visitor.last = await payAsShown(app, visitor, each);
      tell({ who: each.who, result: visitor.last });
      return;
    case "go-on":
      if (visitor?.last?.ok && visitor.last.next === "continue") {
        await (each.isComplete ? goOn(app, visitor.last) : authenticate(app, visitor.last, false));
      }
      return;
    case "settle":
      if (visitor) await services.signUp.settle(visitor.token);
      return;
    case "claim-session":
      if (visitor && (await services.signUp.claimSession(visitor.token))) visitor.sessions += 1;
      return;
    case "take-email":
      await takeEmail(app, EMAILS[each.email]);
      return;
    case "job":
      await services.jobs.run(each.name);
      return;
    case "pass":
      clock.advance(each.ms);
      return;
    case "fault":
      gateway.meddle(failing(each.call, each.moment, each.times));
      return;
    case "no-fault":
      gateway.stop();
  }
}

let addresses = 0;

/** Another one each time: the throttles are another test's. */
function nextAddress(): string {
  addresses += 1;
  return `10.${addresses >> 16}.${(addresses >> 8) & 255}.${addresses & 255}`;
}

async function fillIn({ services }: App, visitor: Visitor, each: Pick<Start, "email" | "isCorporate">): Promise<void> {
  const result = await services.signUp.saveDetails({
    ...ada,
    address: nextAddress(),
    token: visitor.token === "" ? undefined : visitor.token,
    email: EMAILS[each.email] ?? "",
    accountType: each.isCorporate ? "corporate" : "individual",
    code: each.isCorporate ? CODE : "",
  });
  if (!result.ok) return;
  if (visitor.token !== result.draft.token) Object.assign(visitor, { last: undefined, sessions: 0 });
  visitor.token = result.draft.token;
}

async function verify(app: App, { token }: Visitor): Promise<void> {
  const draft = await app.services.signUp.findDraft(token);
  if (!draft || draft.isVerified) return;
  await app.services.signUp.resendVerification(token, from);
  const { code } = await findChallenge(app, draft.email);
  await app.services.signUp.verifyByCode(token, code);
}

/** Pays for what the page shows. */
async function payAsShown(app: App, { token }: Visitor, { card }: Extract<Action, { do: "pay" }>) {
  const draft = await app.services.signUp.findDraft(token);
  return pay(app, token, { ...payment, card, address: nextAddress(), shownPlanType: draft?.planType });
}
