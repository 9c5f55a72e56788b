import { StatementSync } from "node:sqlite";
import { expect, test, vi } from "vitest";

import { ada, logIn } from "../helpers/account-page.ts";
import { addCompany, openContact } from "../helpers/company-page.ts";
import { openDesk } from "../helpers/desk.ts";
import { type Browser, openSite } from "../helpers/site.ts";

const MOST = 4;

/** Pages that are about many tables, each with how many it asks. */
const larger: Record<string, number> = {
  // A member's whole record, and the landing behind it.
  "/?account=open": 13,
  // The contact, their companies, and of one of them its code, its collections and its months.
  "/company": 7,
  // The session, and one of each sort of matter that may wait for an operator.
  "/desk": 10,
};

test("a page makes at most four statements, but for those about many tables", async () => {
  await using site = await openSite();
  const member = await logIn(site, ada);
  await member.post("/favourites", { save: "watch-2001" });
  await member.post("/positions", { keep: "watch-2001", seconds: "10", duration: "60", age: "0" });
  const contact = await openContact(site, await addCompany(site));
  const pages: [Pick<Browser, "get">, string[]][] = [
    [
      member,
      [
        "/",
        "/?view=watch",
        "/?view=read&item=1001",
        "/?view=watch&item=2001",
        "/?q=night",
        "/?q=can%27t+sleep",
        "/?view=topics",
      ],
    ],
    [member, ["/?view=favourites", "/?account=open"]],
    [site.openBrowser(), ["/", "/login", "/signup", "/signup?step=1", "/privacy"]],
    [contact, ["/company"]],
    [await openDesk(site), ["/desk"]],
  ];
  using statements = countStatements();
  for (const [browser, paths] of pages) {
    for (const path of paths) {
      statements.forget();
      await browser.get(path);
      const asked = statements.list();
      const what = `${path}\n${asked.join("\n")}`;
      if (larger[path] === undefined) expect(asked.length, what).toBeLessThanOrEqual(MOST);
      else expect(asked.length, what).toBe(larger[path]);
    }
  }
});

/** Of SQLite alone: both engines are asked the same. */
function countStatements() {
  const asked: string[] = [];
  const spies = (["all", "run"] as const).map((name) => {
    // oxlint-disable-next-line typescript/unbound-method -- called with its statement below
    const ask = StatementSync.prototype[name] as (...parameters: unknown[]) => never;
    return vi.spyOn(StatementSync.prototype, name).mockImplementation(function (this: StatementSync, ...parameters) {
      asked.push(this.sourceSQL);
      return ask.apply(this, parameters);
    });
  });
  return {
    list: () => [...asked],
    forget: () => void asked.splice(0),
    [Symbol.dispose]: () => spies.forEach((spy) => spy.mockRestore()),
  };
}
