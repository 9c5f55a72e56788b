import { expect, test } from "vitest";

import { ada, logIn } from "../helpers/account-page.ts";
import { createNewcomer } from "../helpers/newcomer.ts";
import { openQuietSite } from "../helpers/site.ts";

/** Without the place on the page. */
function listActions(html: string): (string | undefined)[] {
  return [...html.matchAll(/<form\b[^>]*method="post"[^>]*>/g)].map(([tag]) =>
    / action="([^"#]*)/.exec(tag)?.[1]?.replaceAll("&amp;", "&"),
  );
}

test("every form that is posted to its own page names the address with the query", async () => {
  await using site = await openQuietSite();
  const visitor = createNewcomer(site);
  const expectNamed = async (address: string, browser = visitor.browser) => {
    const path = address.replace(browser.origin, "");
    const actions = listActions((await browser.get(path)).text);
    expect(actions, path).toContain(path);
    for (const action of actions) expect([path, "/", "/favourites"], path).toContain(action);
  };
  await expectNamed("/login?to=%2F%3Fview%3Dread");
  await expectNamed("/login?reset=1&to=%2F%3Fview%3Dread");
  await expectNamed("/signup?step=1&to=%2F%3Fview%3Dread");
  await visitor.enterDetails();
  await expectNamed("/signup?step=2");
  await visitor.typeCode();
  await visitor.choosePlan();
  await expectNamed("/signup?step=3");
  await expectNamed((await visitor.pay()).location ?? "");
  await expectNamed((await visitor.pay({ card: "authentication" })).location ?? "");
  const member = await logIn(site, ada);
  await expectNamed("/?view=read&sort=title&account=open", member);
  await expectNamed("/?q=sleep", member);
});
