import { describe, expect, test } from "vitest";

import { engines } from "../../tests/helpers/databases.ts";
import { openHouse, type House } from "../../tests/helpers/house.ts";
import type { Details, PaymentInput } from "./sign-up.ts";

const from = { address: "198.51.100.7", site: "http://dormouse.test/" };

const ada: Details = {
  ...from,
  token: undefined,
  accountType: "individual",
  code: "",
  firstName: "Ada",
  lastName: "Lovell",
  email: "ada@example.org",
  password: "sleep-well-tonight",
  passwordConfirmation: "sleep-well-tonight",
};

async function startDraft({ rooms }: House, details: Partial<Details> = {}): Promise<string> {
  const result = await rooms.signUp.saveDetails({ ...ada, ...details });
  if (!result.ok) throw new Error(JSON.stringify(result));
  return result.draft.token;
}

async function findCode(house: House): Promise<string> {
  await house.rooms.outbox.deliver();
  const letter = house.letters.findLast(({ subject }) => subject === "Confirm your email address");
  return /^\d{6}$/m.exec(letter?.text ?? "")?.[0] ?? "";
}

async function makeMethod({ rooms }: House, number = "4242 4242 4242 4242"): Promise<string> {
  const made = await rooms.demoGateways?.makeMethod({ number, expiry: "12/30", cvc: "123" });
  if (!made?.ok) throw new Error(JSON.stringify(made));
  return made.methodId;
}

const payment: PaymentInput = { ...from, shownPlanType: 3, postcode: "EX1 1AA", methodId: undefined };

describe.each(engines)("sign-up on %s", (engine) => {
  test("from details to a paid membership", async () => {
    await using house = await openHouse(engine);
    const { signUp, membership, payments } = house.rooms;
    const token = await startDraft(house);
    expect(await signUp.findDraft(token)).toMatchObject({ isVerified: false, payment: { state: "none" } });
    expect(await signUp.verifyByCode(token, await findCode(house))).toEqual({ ok: true });
    expect(await signUp.choosePlan(token, 3)).toEqual({ ok: true });
    expect(await signUp.pay(token, { ...payment, methodId: await makeMethod(house) })).toEqual({
      ok: true,
      next: "completed",
    });

    const draft = await signUp.findDraft(token);
    expect(draft?.payment).toMatchObject({ state: "completed", amountInPence: 6000, receiptNumber: "D-2026-000001" });
    const session = await signUp.claimSession(token);
    expect(session).toBeDefined();
    expect(await signUp.claimSession(token)).toBeUndefined();
    const memberId = (await house.rooms.sessions.find(session?.token ?? ""))?.memberId ?? 0;
    expect(await membership.findAccess(memberId)).toMatchObject({ isActive: true });
    expect(await payments.findReceipt(memberId, "D-2026-000001")).toMatchObject({
      amountInPence: 6000,
      postcode: "EX1 1AA",
    });
    await house.rooms.outbox.deliver();
    expect(house.letters.map(({ subject }) => subject)).toEqual([
      "Confirm your email address",
      "Welcome to Dormouse",
      "Your receipt D-2026-000001",
    ]);
    expect(house.log.lines.filter(({ level }) => level !== "info")).toEqual([]);
  });
});
