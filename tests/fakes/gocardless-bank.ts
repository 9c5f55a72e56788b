import { createGoCardless } from "../../server/adapters/gocardless/gocardless.ts";
import { createTestClock } from "../helpers/test-clock.ts";
import { startGoCardlessFake, visitFlow } from "./gocardless.ts";

/** A company that has agreed, and one payment of it. */
export async function openBank() {
  const clock = createTestClock();
  const fake = await startGoCardlessFake({ clock });
  const gateway = createGoCardless({ ...fake, clock });
  const { id } = await gateway.createBillingRequest({ key: "1", companyId: 7, companyName: "Acme Ltd" });
  const flow = await gateway.openFlow({
    billingRequestId: id,
    companyName: "Acme Ltd",
    email: "pay@acme.example",
    returnUrl: "https://dormouse.example/agreed",
    exitUrl: "https://dormouse.example/left",
  });
  await visitFlow(flow.authorisationUrl, "agree");
  const mandateId = (await gateway.findBillingRequest(id))?.mandateId ?? "";
  const dues = { amountInPence: 60_000, currency: "GBP", description: "Dormouse, 12 months", companyId: 7 } as const;
  const debit = await gateway.collect({ ...dues, key: "2", mandateId });
  const stateOf = async () => (await gateway.findDebit(debit.id))?.state;
  return {
    clock,
    fake,
    gateway,
    requestId: id,
    flow,
    mandateId,
    debit,
    stateOf,
    [Symbol.asyncDispose]: () => fake[Symbol.asyncDispose](),
  };
}
