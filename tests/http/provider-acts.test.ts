import { expect, test } from "vitest";

import type { ActName } from "../../server/operations/acts/acts.ts";
import { act, toOutcome } from "../helpers/acts.ts";
import { openRemoteSite } from "../helpers/provider.ts";

/* Acts of operators, where a provider holds the members. */

test("what a provider keeps is refused with a sentence, and leaves no line", async () => {
  await using app = await openRemoteSite();
  const { services } = app;
  const member = await app.provider.site.services.accounts.findByEmail("member@dormouse.example");
  await app.openBrowser().logIn("member@dormouse.example");
  const memberId = member?.id ?? 0;
  const acts: [ActName, Record<string, string>][] = [
    ["member name", { firstName: "Nia", lastName: "Holt" }],
    ["member address", { email: "nia@example.org", mailbox: "lost" }],
    ["member close", {}],
    ["member term", { months: "1" }],
    ["member activate", { months: "1" }],
    ["member deactivate", {}],
  ];
  for (const [name, fields] of acts) {
    const refusal = toOutcome(await act(app, name, { subject: memberId, fields }));
    expect(refusal, name).toMatch(/^(?:Accounts|Subscriptions) are held by the provider at API_URL/);
  }
  expect(await services.audit.list(9)).toEqual([]);
  expect(await services.sessions.list(memberId)).toHaveLength(1);
  expect(toOutcome(await act(app, "member sessions", { subject: memberId }))).toEqual({ ended: 1 });
});

test("where a provider holds the members nothing is merged here", async () => {
  await using site = await openRemoteSite();
  const refusal = await site.services.merging.predict({ targetId: 1, other: "member@dormouse.example" });
  expect(refusal).toEqual({ ok: false, reason: "held-elsewhere" });
});
