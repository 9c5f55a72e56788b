import { createDemo } from "../../server/adapters/demo/demo.ts";
import { signDemoWebhook } from "../../server/adapters/demo/store.ts";
import { createStripe } from "../../server/adapters/stripe/stripe.ts";
import { createStripePayer } from "../fakes/stripe-pages.ts";
import { startStripeFake } from "../fakes/stripe.ts";
import { engines, openTestDatabase } from "../helpers/databases.ts";
import { createTestClock } from "../helpers/test-clock.ts";
import { cardNumbers, type CardPlace, type TestCard } from "./card-desk.ts";
import { describeCardGateway } from "./card-gateway.ts";

async function openDemo(engine: (typeof engines)[number]): Promise<CardPlace> {
  const database = await openTestDatabase(engine);
  const clock = createTestClock();
  const pageUrl = (path: string) => `http://dormouse.test/${path}`;
  const { store, cards, pages } = createDemo({ db: database.db, clock, secret: "a secret", pageUrl });
  const cardOf = (card: TestCard) => ({ number: cardNumbers[card], expiry: "12/34", cvc: "123" });
  return {
    gateway: cards,
    clock,
    async makeMethod(card) {
      const made = await pages.makeMethod(cardOf(card));
      return made.ok ? made.methodId : "";
    },
    authenticate: ({ id }, isComplete) => pages.authenticate(id, isComplete),
    payOnPage: ({ id }, card) => pages.payCardPage(id, cardOf(card)),
    async takeWebhooks() {
      const due = await store.listEvents();
      return due.map(({ body }) => ({ body, headers: new Headers(signDemoWebhook("a secret", body)) }));
    },
    [Symbol.asyncDispose]: () => database[Symbol.asyncDispose](),
  };
}

async function openStripe(): Promise<CardPlace> {
  const clock = createTestClock();
  const fake = await startStripeFake({ clock });
  const payer = createStripePayer(fake);
  return {
    gateway: createStripe({ ...fake.keys, apiBase: fake.url, clock }),
    clock,
    makeMethod: (card) => payer.makeMethod(cardNumbers[card]),
    authenticate: ({ actionUrl = "" }, isComplete) => payer.authenticate(actionUrl, isComplete),
    payOnPage: ({ actionUrl = "" }, card) => payer.payOnPage(actionUrl, cardNumbers[card]),
    takeWebhooks: async () => fake.takeWebhooks().map(({ body, headers }) => ({ body, headers: new Headers(headers) })),
    [Symbol.asyncDispose]: () => fake.stop(),
  };
}

for (const engine of engines) describeCardGateway(`the demo's own, on ${engine}`, () => openDemo(engine));
describeCardGateway("Stripe", openStripe);
