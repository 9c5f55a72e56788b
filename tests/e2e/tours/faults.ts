import { expect, LAST_TILE } from "../fixtures.ts";
import { renderFaultPages } from "../fault-pages.ts";
import type { Tour, Visit } from "./tour.ts";

/** A member's pages without a connection, or while the app fails. */
export const walkFaults: Tour = async function* (visit) {
  const { page, site } = visit;
  await site.logIn();
  await site.letScriptArrive();
  const gate = Promise.withResolvers<void>();
  await page.route("**/*.data*", async (route) => {
    await gate.promise;
    await route.abort("internetdisconnected");
  });
  await page.getByRole("link", { name: LAST_TILE }).click();
  await expect(page.locator('[aria-live="polite"]').filter({ hasText: "Loading" })).toBeVisible();
  yield "a page that is slow to come";
  gate.resolve();
  await expect(page.getByRole("heading", { name: "You seem to be offline" })).toBeVisible();
  yield "offline";
  const pages = await renderFaultPages();
  await openFault(visit, pages.screen);
  yield "a fault";
  await openFault(visit, pages.other);
  yield "a fault where there is no screen";
};

export async function openFault({ page, site }: Visit, body: string): Promise<void> {
  const address = site.url("/fault");
  await page.route(address, (route) => route.fulfill({ status: 500, contentType: "text/html", body }), {
    times: 1,
  });
  await page.goto(address);
  await expect(page.getByRole("heading", { name: "Something went wrong" })).toBeVisible();
}
