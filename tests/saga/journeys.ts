import type { GiftPoint, MergePoint, SagaPoint } from "../../server/context.ts";
import type { Message } from "../../server/platform/email/sending.ts";
import type { Services } from "../../server/services.ts";
import type { PayResult } from "../../server/money/sign-up/sign-up.ts";
import type { AppOptions } from "../helpers/app.ts";
import { createEmailList } from "../helpers/email-list.ts";
import type { TestClock } from "../helpers/test-clock.ts";
import { authenticate, type CardName, pay, payOnPage } from "./visitor.ts";

/** Where a process can die: the saga's own points, and after an outside service has worked, before its answer. */
export type Point =
  | SagaPoint
  | MergePoint
  | GiftPoint
  | "customer-made"
  | "payment-made"
  | "payment-cancelled"
  | "refund-made"
  | "email-sent"
  | "bank-agreed";

export type Step =
  | { do: "pay"; card: CardName | "hosted" }
  /** At the bank or on the gateway's page, as the last payment requires. */
  | { do: "go-on" }
  | { do: "settle" }
  | { do: "claim-session" }
  | { do: "choose-plan"; planType: 1 | 2 }
  /** An operator refunds the first order. */
  | { do: "give-back" }
  /** An operator refunds a part, and the term continues. */
  | { do: "give-back-part"; amountInPence: number }
  /** Another person joins with the address. */
  | { do: "take-email" }
  | { do: "job"; name: string; afterMs?: number };

/**
 * `from`: the first point that differs from earlier journeys, whose deaths are not repeated. `isTwice`: it does real
 * work at a point a second time.
 */
export type Journey = { name: string; isCorporate?: boolean; isTwice?: boolean; steps: Step[]; from: Point };

export const EMAIL = "ada@example.org";
export const CODE = "NIGHT-SHIFT";

const webhooks: Step = { do: "job", name: "handle-webhooks" };
const mail: Step = { do: "job", name: "send-mail" };
const reconcile: Step = { do: "job", name: "reconcile-payments", afterMs: 60_000 };
const toTheBank: Step[] = [{ do: "pay", card: "authentication" }, { do: "go-on" }];

export const journeys: Journey[] = [
  { name: "paying at once", from: "order-opening", steps: [{ do: "pay", card: "paid" }, webhooks, mail] },
  { name: "coming back from the bank", from: "payment-made", steps: [...toTheBank, { do: "settle" }] },
  { name: "a bank's yes that only a webhook event tells", from: "webhook-stored", steps: [...toTheBank, webhooks] },
  { name: "a bank's yes that only the reconciling job finds", from: "order-paid", steps: [...toTheBank, reconcile] },
  {
    name: "another card after a declined one",
    from: "payment-made",
    isTwice: true,
    steps: [
      { do: "pay", card: "declined" },
      { do: "pay", card: "paid" },
    ],
  },
  {
    name: "the gateway's own page",
    from: "payment-made",
    steps: [{ do: "pay", card: "hosted" }, { do: "go-on" }, { do: "settle" }],
  },
  {
    name: "the page that logs in who has paid",
    from: "session-claimed",
    steps: [{ do: "pay", card: "paid" }, { do: "claim-session" }],
  },
  {
    name: "an address that another person takes in the meantime",
    from: "order-paid",
    steps: [...toTheBank, { do: "take-email" }, { do: "settle" }, webhooks, mail],
  },
  {
    name: "another plan instead of the bank",
    from: "payment-cancelled",
    steps: [
      { do: "pay", card: "authentication" },
      { do: "choose-plan", planType: 1 },
    ],
  },
  {
    name: "an order that an operator gives back",
    from: "refund-decided",
    steps: [{ do: "pay", card: "paid" }, { do: "give-back" }, webhooks, mail],
  },
  {
    name: "an order of which an operator gives two parts back",
    from: "refund-decided",
    isTwice: true,
    steps: [
      { do: "pay", card: "paid" },
      { do: "give-back-part", amountInPence: 1000 },
      { do: "give-back-part", amountInPence: 500 },
      webhooks,
      mail,
    ],
  },
  {
    name: "a company's code",
    from: "order-completing",
    isCorporate: true,
    steps: [{ do: "pay", card: "hosted" }, mail],
  },
];

/** Services that report every point of the saga. */
export function watch(
  report: (point: Point) => void,
  keep: (message: Message) => void,
): Required<Pick<AppOptions, "reach" | "wrapCardGateway" | "mailer">> {
  function afterwards<Input, Output>(point: Point, call: (input: Input) => Promise<Output>) {
    return async (input: Input): Promise<Output> => {
      const answer = await call(input);
      report(point);
      return answer;
    };
  }
  const mailer = createEmailList();
  mailer.answer = (message) => {
    keep(message);
    report("email-sent");
    return { ok: true };
  };
  return {
    reach: report,
    mailer,
    wrapCardGateway: (gateway) => ({
      ...gateway,
      createCustomer: afterwards("customer-made", gateway.createCustomer),
      startPayment: afterwards("payment-made", gateway.startPayment),
      startHostedPayment: afterwards("payment-made", gateway.startHostedPayment),
      cancelPayment: afterwards("payment-cancelled", gateway.cancelPayment),
      refund: afterwards("refund-made", gateway.refund),
    }),
  };
}

type Walk = { services: Services; token: string; clock: TestClock; report: (point: Point) => void };

/** Takes the steps of a journey, one after another. */
export async function walk(steps: Step[], { services, token, clock, report }: Walk): Promise<void> {
  let last: PayResult = { ok: true, next: "checking" };
  for (const step of steps) {
    switch (step.do) {
      case "pay":
        last = await pay({ services }, token, { card: step.card });
        break;
      case "go-on":
        await continuePayment({ services }, last);
        report("bank-agreed");
        break;
      case "settle":
        await services.signUp.settle(token);
        break;
      case "claim-session":
        await services.signUp.claimSession(token);
        break;
      case "choose-plan":
        await services.signUp.choosePlan(token, step.planType);
        break;
      case "take-email":
        await takeEmail({ services });
        break;
      case "give-back":
        await services.payments.giveBack({ orderId: 1, by: { operator: "olive", reason: "They asked" } });
        break;
      case "give-back-part":
        await services.payments.makePartRefund({
          orderId: 1,
          amountInPence: step.amountInPence,
          by: { operator: "olive", reason: "They asked" },
        });
        break;
      case "job":
        clock.advance(step.afterMs ?? 0);
        await services.jobs.run(step.name);
    }
  }
}

export async function continuePayment({ services }: { services: Services }, result: PayResult): Promise<void> {
  const isHosted = result.ok && result.next === "continue" && result.url.includes("/demo-gateway/card/");
  await (isHosted ? payOnPage({ services }, result) : authenticate({ services }, result));
}

export async function takeEmail({ services }: { services: Services }, email = EMAIL): Promise<void> {
  const other = { firstName: "Ann", lastName: "Other", accountType: "individual" as const };
  await services.accounts.register({ ...other, email, password: "quite-another-one" });
}
