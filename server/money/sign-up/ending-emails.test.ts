import { describe, expect, test } from "vitest";

import { openApp, type App } from "../../../tests/helpers/app.ts";
import { insertMembers } from "../../../tests/helpers/member-rows.ts";
import { ada, pay, prepareDraft } from "../../../tests/saga/visitor.ts";
import { after, DAY_IN_MS } from "../../platform/clock.ts";

describe("the end of a membership", () => {
  async function admit(app: App, email: string, { isCorporate = false } = {}): Promise<number> {
    const company = { accountType: "corporate" as const, code: "NIGHT-SHIFT" };
    const token = await prepareDraft(app, { email, planType: 1, ...(isCorporate && company) });
    await pay(app, token, { card: isCorporate ? "hosted" : "paid", shownPlanType: isCorporate ? undefined : 1 });
    return (await app.services.accounts.findByEmail(email))?.id ?? 0;
  }

  /** Runs the job twice, as two processes might, and lists the emails. */
  async function listWritten(app: App): Promise<[string, string][]> {
    const sent = app.emails.length;
    await Promise.all([app.services.jobs.run("send-ending-emails"), app.services.outbox.deliver()]);
    await app.services.jobs.run("send-ending-emails");
    await app.services.outbox.deliver();
    return app.emails.slice(sent).map(({ to, subject }) => [to, subject]);
  }

  test("is announced by email a week before and when it comes, once each, with a renewal link", async () => {
    await using app = await openApp();
    await admit(app, ada.email);
    await app.services.outbox.deliver();
    app.clock.advance(23 * DAY_IN_MS - 1);
    expect(await listWritten(app)).toEqual([]);
    app.clock.advance(1);
    expect(await listWritten(app)).toEqual([[ada.email, "Your membership ends on 20 December 2026"]]);
    const [, link = ""] = /[?&]renew=([\w.-]+)/.exec(app.emails.at(-1)?.text ?? "") ?? [];
    expect(await app.services.signUp.findRenewal(link)).toMatchObject({ firstName: "Ada" });
    app.clock.advance(7 * DAY_IN_MS - 1);
    expect(await listWritten(app)).toEqual([]);
    app.clock.advance(1);
    expect(await listWritten(app)).toEqual([[ada.email, "Your membership has ended"]]);
    app.clock.advance(DAY_IN_MS);
    expect(await listWritten(app)).toEqual([]);
  });

  test("is not announced to a member who has renewed or was revoked by an operator", async () => {
    await using app = await openApp();
    const { membership, renewalLinks, signUp } = app.services;
    const renewed = await admit(app, "renewed@example.org");
    const revoked = await admit(app, "revoked@example.org");
    await admit(app, "other@example.org");
    const from = { address: "198.51.100.7", site: "http://dormouse.test/" };
    const draft = await signUp.startRenewal(renewalLinks.make(renewed), from);
    await signUp.choosePlan(draft?.token ?? "", 1);
    await pay(app, draft?.token ?? "", { shownPlanType: 1 });
    await membership.revoke(revoked);
    await app.services.outbox.deliver();
    app.clock.advance(24 * DAY_IN_MS);
    expect((await listWritten(app)).map(([to]) => to)).toEqual(["other@example.org"]);
    app.clock.advance(7 * DAY_IN_MS);
    expect((await listWritten(app)).map(([to]) => to)).toEqual(["other@example.org"]);
  });

  test("frees the seat at a company's code for another member", async () => {
    await using app = await openApp();
    const { codes, membership } = app.services;
    await codes.create({ code: "NIGHT-SHIFT", seats: 1 });
    const memberId = await admit(app, ada.email, { isCorporate: true });
    expect(await codes.check("NIGHT-SHIFT")).toMatchObject({ isValid: false, reason: "full" });
    app.clock.advance(360 * DAY_IN_MS);
    await listWritten(app);
    const reminder = app.emails.at(-1)?.text.replaceAll("\n", " ");
    expect(reminder).toContain("You won't be charged.");
    expect(reminder).not.toContain("plan");
    app.clock.advance(5 * DAY_IN_MS);
    await listWritten(app);
    expect(await membership.findAccess(memberId)).toMatchObject({ isActive: false });
    expect(await codes.find("NIGHT-SHIFT")).toMatchObject({ seatsTaken: 0, holders: [] });
    const other = await admit(app, "bea@example.org", { isCorporate: true });
    expect(await codes.find("NIGHT-SHIFT")).toMatchObject({ seatsTaken: 1, holders: [{ memberId: other }] });
  });

  test("every membership that ends between two runs is announced, however many members have renewed", async () => {
    await using app = await openApp();
    const now = app.clock();
    const ids = Array.from({ length: 250 }, (_, index) => index + 1);
    await insertMembers(
      app,
      ids.map((id) => ({ id, email: `m${id}@x.example` })),
    );
    const end = (memberId: number, days: number) => ({
      memberId,
      planType: 1,
      startsAt: now,
      endsAt: after(now, days * DAY_IN_MS),
    });
    const renewed = ids.slice(0, 120);
    const terms = [...ids.map((id) => end(id, 10)), ...renewed.map((id) => end(id, 40))];
    await app.db.insertInto("subscriptions").values(terms).execute();
    app.clock.advance(10 * DAY_IN_MS);
    await app.services.jobs.run("send-ending-emails");
    const written = await app.db.selectFrom("emails").select("recipient").execute();
    expect(written.map(({ recipient }) => recipient)).toEqual(ids.slice(120).map((id) => `m${id}@x.example`));
  });

  test("is not announced a month late: an app that was down for long frees the seats without sending emails", async () => {
    await using app = await openApp();
    await app.services.codes.create({ code: "NIGHT-SHIFT", seats: 1 });
    await admit(app, ada.email, { isCorporate: true });
    await app.services.outbox.deliver();
    app.clock.advance((365 + 31) * DAY_IN_MS);
    expect(await listWritten(app)).toEqual([]);
    expect(await app.services.codes.find("NIGHT-SHIFT")).toMatchObject({ seatsTaken: 0 });
  });
});
