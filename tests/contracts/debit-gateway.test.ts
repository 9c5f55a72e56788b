import { createDemo } from "../../server/adapters/demo/demo.ts";
import { signDemoWebhook } from "../../server/adapters/demo/store.ts";
import { createGoCardless } from "../../server/adapters/gocardless/gocardless.ts";
import type { Engine } from "../../server/database/database.ts";
import { startGoCardlessFake, visitFlow } from "../fakes/gocardless.ts";
import { engines, openTestDatabase } from "../helpers/databases.ts";
import { createTestClock } from "../helpers/test-clock.ts";
import { describeDebitGateway, type DebitBench } from "./debit-gateway.ts";

for (const engine of engines) describeDebitGateway(`the demo on ${engine}`, () => openDemo(engine));
describeDebitGateway("GoCardless", openGoCardless);

async function openDemo(engine: Engine): Promise<DebitBench> {
  const database = await openTestDatabase(engine);
  const clock = createTestClock();
  const pageUrl = (path: string) => `https://dormouse.example/${path}`;
  const { store, debits: gateway, pages } = createDemo({ db: database.db, clock, secret: "secret", pageUrl });
  const flowOf = (url: string) => url.split("/").at(-1) ?? "";
  const bank = { accountHolderName: "Acme Ltd", accountNumber: "55779911", sortCode: "20-00-00" };
  return {
    ...gateway,
    gateway,
    clock,
    async agree(url) {
      const answer = await pages.agreeDebit(flowOf(url), bank);
      return answer.ok ? answer.url : "";
    },
    leave: async (url) => (await pages.leaveDebit(flowOf(url))).url,
    async takeEvents() {
      const waiting = await store.listEvents(1000);
      await store.markDelivered(waiting.map(({ id }) => id));
      return waiting.map(({ body }) => ({ body, headers: new Headers(signDemoWebhook("secret", body)) }));
    },
    [Symbol.asyncDispose]: () => database.close(),
  };
}

async function openGoCardless(): Promise<DebitBench> {
  const clock = createTestClock();
  const fake = await startGoCardlessFake({ clock });
  const gateway = createGoCardless({ ...fake, clock });
  return {
    gateway,
    clock,
    agree: async (url) => (await visitFlow(url, "agree")) ?? "",
    leave: async (url) => (await visitFlow(url, "exit")) ?? "",
    failMandate: async (id) => fake.failMandate(id),
    suspendMandate: async (id) => fake.suspendMandate(id),
    restoreMandate: async (id) => fake.resumeMandate(id),
    replaceMandate: async (id) => fake.replaceMandate(id),
    confirmDebit: async (id) => fake.confirm(id),
    failDebit: async (id) => fake.failPayment(id),
    chargeBack: async (id) => fake.chargeBack(id),
    takeEvents: async () => fake.takeWebhooks(),
    [Symbol.asyncDispose]: () => fake[Symbol.asyncDispose](),
  };
}
