import { AsyncLocalStorage } from "node:async_hooks";
import * as fc from "fast-check";
import type { KyselyPlugin } from "kysely";

import { HOUR_IN_MS, MINUTE_IN_MS, SECOND_IN_MS } from "../../server/platform/clock.ts";
import type { Database } from "../../server/platform/database/database.ts";
import type { PlanType } from "../../server/money/membership/plans.ts";
import type { PayResult } from "../../server/money/sign-up/sign-up.ts";
import type { App } from "../helpers/app.ts";
import { failing, type GatewayCall, type Interference, type Moment } from "./interference.ts";
import { continuePayment, takeEmail } from "./journeys.ts";
import { ada, authenticate, findChallenge, pay, payment, type CardName } from "./visitor.ts";

/** Anything that a visitor, the gateway, the clock or the app may do next. */
export type Action =
  | { do: "details"; who: number; email: number; isCorporate: boolean }
  | { do: "verify"; who: number }
  | { do: "plan"; who: number; planType: PlanType }
  | { do: "pay"; who: number; card: CardName | "hosted" }
  | { do: "go-on"; who: number; isComplete: boolean }
  | { do: "settle"; who: number }
  | { do: "claim-session"; who: number }
  | { do: "take-email"; email: number }
  | { do: "give-back"; order: number }
  | { do: "give-back-part"; order: number; amountInPence: number }
  | { do: "job"; name: string }
  | { do: "pass"; ms: number }
  | { do: "fault"; call: GatewayCall; moment: Moment; times: number }
  | { do: "no-fault" };

/** Simultaneous actions, each of which may lose power after so many steps. */
export type Turn = { action: Action; steps: number }[];

const EMAILS = ["ada@example.org", "bea@example.org"];
const VISITORS = 2;
export const CODE = "NIGHT-SHIFT";

const who = fc.nat(VISITORS - 1);
const email = fc.nat(EMAILS.length - 1);
const calls: GatewayCall[] = [
  "createCustomer",
  "startPayment",
  "startHostedPayment",
  "findPayment",
  "listPaymentsFor",
  "cancelPayment",
  "refund",
  "findRefund",
  "findRefunded",
  "findPartRefund",
];
/** Rarely a day, after which little is left to happen. */
const waits = fc.oneof(
  { weight: 9, arbitrary: fc.constantFrom(1, 31, 61, 180).map((seconds) => seconds * SECOND_IN_MS) },
  { weight: 2, arbitrary: fc.constant(91 * MINUTE_IN_MS) },
  { weight: 1, arbitrary: fc.constant(25 * HOUR_IN_MS) },
  // Clocks are set back, too (C23).
  { weight: 1, arbitrary: fc.constant(-HOUR_IN_MS) },
);
const cardNames: (CardName | "hosted")[] = ["paid", "declined", "authentication", "authentication", "hosted"];
const jobs = [
  "handle-webhooks",
  "handle-webhooks",
  "reconcile-payments",
  "reconcile-payments",
  "send-mail",
  "purge-expired",
];

function it<Name extends Action["do"]>(name: Name): fc.Arbitrary<Name> {
  return fc.constant(name);
}

const action: fc.Arbitrary<Action> = fc.oneof(
  { weight: 20, arbitrary: fc.record({ do: it("pay"), who, card: fc.constantFrom(...cardNames) }) },
  { weight: 16, arbitrary: fc.record({ do: it("go-on"), who, isComplete: oneIn(4).map((isNot) => !isNot) }) },
  { weight: 6, arbitrary: fc.record({ do: it("settle"), who }) },
  { weight: 10, arbitrary: fc.record({ do: it("job"), name: fc.constantFrom(...jobs) }) },
  { weight: 6, arbitrary: fc.record({ do: it("pass"), ms: waits }) },
  { weight: 3, arbitrary: fc.record({ do: it("details"), who, email, isCorporate: oneIn(4) }) },
  { weight: 3, arbitrary: fc.record({ do: it("verify"), who }) },
  { weight: 3, arbitrary: fc.record({ do: it("plan"), who, planType: fc.constantFrom(1, 2, 3) }) },
  { weight: 1, arbitrary: fc.record({ do: it("claim-session"), who }) },
  { weight: 1, arbitrary: fc.record({ do: it("take-email"), email }) },
  { weight: 2, arbitrary: fc.record({ do: it("give-back"), order: fc.integer({ min: 1, max: 4 }) }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: it("give-back-part"),
      order: fc.integer({ min: 1, max: 4 }),
      amountInPence: fc.constantFrom(500, 1000, 1500),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      do: it("fault"),
      call: fc.constantFrom(...calls),
      moment: fc.constantFrom("before", "after"),
      times: fc.integer({ min: 1, max: 4 }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: it("no-fault") }) },
);

/** Mostly one complete action, sometimes several, sometimes cut off. */
export const turns: fc.Arbitrary<Turn[]> = fc.array(
  fc.array(
    fc.record({
      action,
      steps: fc.oneof({ weight: 5, arbitrary: fc.constant(1_000_000) }, { weight: 1, arbitrary: fc.nat(60) }),
    }),
    { minLength: 1, maxLength: 3, size: "small" },
  ),
  { minLength: 8, maxLength: 30, size: "max" },
);

function oneIn(many: number): fc.Arbitrary<boolean> {
  return fc.nat(many - 1).map((number) => number === 0);
}

/** How far a visitor has come before the walk begins. */
export type Start = { email: number; isCorporate: boolean; planType: PlanType };

export const starts: fc.Arbitrary<Start[]> = fc.array(
  fc.record({ email, isCorporate: oneIn(6), planType: fc.constantFrom(1, 2, 3) }),
  { minLength: VISITORS, maxLength: VISITORS },
);

/**
 * A simulated power cut: after a number of steps (a query, a gateway call) nothing of one piece of work happens any
 * more, and its transaction is rolled back. Finer than the saga's points.
 */
export type Crashes = {
  wrapDatabase(database: Database): Database;
  /** A step of the running work. @throws when its power is gone. */
  step(): void;
  /** `crashed`: so many steps were too few. */
  run<Result>(steps: number, work: () => Promise<Result>): Promise<Result | "crashed">;
};

class Crash extends Error {}

export function createCrashes(): Crashes {
  const running = new AsyncLocalStorage<{ steps: number }>();

  function step(): void {
    const left = running.getStore();
    if (!left) return;
    left.steps -= 1;
    if (left.steps < 0) throw new Crash("The work has crashed");
  }

  const plugin: KyselyPlugin = {
    transformQuery({ node }) {
      step();
      return node;
    },
    transformResult: async ({ result }) => result,
  };

  return {
    wrapDatabase: (database) => ({ ...database, db: database.db.withPlugin(plugin) }),
    step,
    run: (steps, work) =>
      running.run({ steps }, async () => {
        try {
          const result = await work();
          return (running.getStore()?.steps ?? 0) < 0 ? "crashed" : result;
        } catch (error) {
          // Any fault after the cut has the cut as its cause.
          if ((running.getStore()?.steps ?? 0) < 0) return "crashed";
          throw error;
        }
      }),
  };
}

type Visitor = { token: string; last: PayResult | undefined; sessions: Set<string> };

/** An app with its visitors, and their messages of the last turn. */
export type World = {
  app: App;
  gateway: Interference;
  crashes: Crashes;
  visitors: Visitor[];
};

/** The message to a visitor who paid. */
export type PaidResult = { who: number; result: PayResult };

export async function begin(starting: Start[], { app, visitors }: World): Promise<void> {
  for (const [place, start] of starting.entries()) {
    const visitor = visitors[place];
    if (!visitor) continue;
    await fillIn(app, visitor, start);
    await verify(app, visitor);
    if (!start.isCorporate) await app.services.signUp.choosePlan(visitor.token, start.planType);
  }
}

/** Does everything of one turn at once; returns the messages to paying visitors. */
export async function take(turn: Turn, world: World): Promise<PaidResult[]> {
  const paid: PaidResult[] = [];
  await Promise.all(
    turn.map(({ action: each, steps }) => world.crashes.run(steps, () => act(each, world, (one) => paid.push(one)))),
  );
  return paid;
}

async function act(each: Action, world: World, note: (paid: PaidResult) => void): Promise<void> {
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
      note({ who: each.who, result: visitor.last });
      return;
    case "go-on":
      if (visitor?.last?.ok && visitor.last.next === "continue") {
        await (each.isComplete ? continuePayment(app, visitor.last) : authenticate(app, visitor.last, false));
      }
      return;
    case "settle":
      if (visitor) await services.signUp.settle(visitor.token);
      return;
    case "claim-session":
      if (visitor) {
        const session = await services.signUp.claimSession(visitor.token);
        if (session) visitor.sessions.add(session.token);
      }
      return;
    case "take-email":
      await takeEmail(app, EMAILS[each.email]);
      return;
    case "give-back":
      await services.payments.giveBack({ orderId: each.order, by: { operator: "olive", reason: "They asked" } });
      return;
    case "give-back-part":
      await services.payments.makePartRefund({
        orderId: each.order,
        amountInPence: each.amountInPence,
        by: { operator: "olive", reason: "They asked" },
      });
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

/** Another one each time: the rate limits are another test's. */
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
  if (visitor.token !== result.draft.token) Object.assign(visitor, { last: undefined, sessions: new Set() });
  visitor.token = result.draft.token;
}

async function verify(app: App, { token }: Visitor): Promise<void> {
  const draft = await app.services.signUp.findDraft(token);
  if (!draft || draft.isVerified) return;
  await app.services.signUp.resendVerification(token);
  const { code } = await findChallenge(app, draft.email);
  await app.services.signUp.verifyByCode(token, code);
}

async function payAsShown(app: App, { token }: Visitor, { card }: Extract<Action, { do: "pay" }>) {
  const draft = await app.services.signUp.findDraft(token);
  return pay(app, token, { ...payment, card, address: nextAddress(), shownPlanType: draft?.planType });
}
