import { expect, fillLogIn, test, waitForLooks } from "./fixtures.ts";
import { expectNoShift, expectNoSidewaysScroll, expectWholeWords } from "./looks.ts";
import { addMember } from "./new-member.ts";
import { openDesk } from "./operators.ts";
import { payBy, reachPayment, readDecline } from "./sign-up-steps.ts";

test("the bar causes no sideways scrolling at any width between phone and desktop @core", async ({ page, site }) => {
  await site.logIn({ path: "/?view=watch" });
  for (const width of [320, 360, 480, 679, 680, 768, 899, 900, 1023, 1024, 1100, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    await expectNoSidewaysScroll(page, `${width} px`);
  }
});

for (const javaScriptEnabled of [true, false]) {
  test(`on a phone search is a button that opens the box ${javaScriptEnabled ? "with" : "without"} script, and moves nothing`, async ({
    browser,
    site,
  }) => {
    const context = await browser.newContext({ javaScriptEnabled, viewport: { width: 390, height: 844 } });
    const page = await context.newPage();
    await page.goto(site.url("/login"));
    await fillLogIn(page, "team@dormouse.example");
    await expect(page).toHaveURL(site.url("/"));
    await page.goto(site.url("/?view=read"));
    if (javaScriptEnabled) await page.locator("html[data-enhanced]").waitFor();
    await waitForLooks(page);
    const header = page.getByRole("banner");
    const box = header.locator("input[type=search]");
    const heading = page.getByRole("heading", { level: 1 });
    const before = await heading.boundingBox();
    const readWidth = async () => (await box.boundingBox())?.width;
    expect(await readWidth()).toBe(44);
    await box.click();
    await expect.poll(readWidth).toBeGreaterThan(250);
    expect(await heading.boundingBox()).toEqual(before);
    await page.keyboard.type("jet lag");
    await header.getByRole("button", { name: "Search" }).click();
    await expect(page.getByRole("heading", { level: 1, name: "Search results for jet lag" })).toBeVisible();
    await expect.poll(readWidth).toBe(44);
    await context.close();
  });
}

test("no card's title ends in a lone word", async ({ page, site }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await site.logIn({ path: "/?view=watch" });
  const lines = await page.locator("main article :is(h2, h3) a").evaluateAll((titles) =>
    titles.map((title) => {
      const text = document.createRange();
      text.selectNodeContents(title);
      return [...text.getClientRects()].map(({ width }) => width);
    }),
  );
  const wrapped = lines.filter(({ length }) => length > 1);
  expect(wrapped.length).toBeGreaterThan(3);
  // A word alone takes less than a third of the line above it.
  for (const [first = 0, last = 0] of wrapped) expect(last).toBeGreaterThan(first / 3);
});

test("the desk breaks no sum and no receipt number of a member who was declined and then paid", async ({
  page,
  site,
}) => {
  const email = await reachPayment(page, site);
  await payBy(page, site, "declined");
  await readDecline(page, site);
  await payBy(page, site, "paid");
  await expect(page.getByRole("heading", { level: 1, name: "Payment Complete" })).toBeVisible();
  await openDesk(page, site, `/desk/members?q=${email}`);
  await page.getByRole("rowheader").getByRole("link").click();
  await expect(page.getByRole("heading", { name: "Orders and payments" })).toBeVisible();
  await expectWholeWords(page, "a member who paid");
  const ends = await page
    .getByRole("table", { name: "Orders and payments" })
    .locator(":is(th, td):nth-child(3)")
    .evaluateAll((cells) =>
      cells.map((cell) => {
        const text = document.createRange();
        text.selectNodeContents(cell);
        const padding = Number.parseFloat(getComputedStyle(cell).paddingRight);
        return Math.round(cell.getBoundingClientRect().right - padding - text.getBoundingClientRect().right);
      }),
    );
  expect(ends, "money is at the right edge").toEqual([0, 0]);
});

test("Today breaks no receipt number on a phone", async ({ page, site }) => {
  await openDesk(page, site);
  const receipts = page.getByRole("listitem").getByText(/^D-\d{4}-\d+$/);
  await expect(receipts.first()).toBeVisible();
  for (const width of [320, 360, 390, 768]) {
    await page.setViewportSize({ width, height: 844 });
    const lines = await receipts.evaluateAll((all) =>
      all.map((receipt) => {
        const text = document.createRange();
        text.selectNodeContents(receipt);
        return text.getClientRects().length;
      }),
    );
    expect(Math.max(...lines), `${width} px`).toBe(1);
  }
});

test("the account menu is as high as its content, in WebKit too", async ({ page, site }) => {
  await site.logIn({ path: "/?view=watch" });
  await page.getByRole("button", { name: /^Account of/ }).click();
  const height = await page.locator("#account-menu").evaluate((menu) => String(menu.computedStyleMap().get("height")));
  expect(height).toBe("auto");
});

test("on the narrowest phone the open search box shows a dozen letters", async ({ page, site }) => {
  await page.setViewportSize({ width: 320, height: 640 });
  await site.logIn();
  const box = page.getByRole("combobox", { name: "Search" });
  await box.click();
  const widthInPixels = await box.evaluate((field) => {
    const { paddingLeft, paddingRight } = getComputedStyle(field);
    return field.clientWidth - Number.parseFloat(paddingLeft) - Number.parseFloat(paddingRight);
  });
  // A letter is half as wide as it is high.
  expect(widthInPixels).toBeGreaterThan(12 * 8);
});

test("on a tablet the picture of a result is cut to no strip", async ({ page, site }) => {
  await site.logIn({ path: "/?q=can%27t%20sleep&type=reads" });
  for (const width of [640, 768, 1023]) {
    await page.setViewportSize({ width, height: 900 });
    const ratios = await page
      .locator("article img")
      .evaluateAll((images) => images.map(({ clientWidth, clientHeight }) => clientWidth / clientHeight));
    expect(ratios.length).toBeGreaterThan(5);
    expect(Math.min(...ratios)).toBeGreaterThan(1.3);
  }
});

test("on the narrowest phone a long name of a tile breaks after its slash", async ({ page, site }) => {
  await page.setViewportSize({ width: 320, height: 640 });
  await site.logIn();
  const label = page.getByRole("link", { name: "Snoring/Sleep apnea" }).locator("span");
  const linesOfSleep = await label.evaluate(({ lastChild }) => {
    const range = document.createRange();
    const at = lastChild?.textContent?.indexOf("Sleep") ?? -1;
    range.setStart(lastChild ?? document, at);
    range.setEnd(lastChild ?? document, at + "Sleep".length);
    return range.getClientRects().length;
  });
  expect(linesOfSleep).toBe(1);
});

test("on a phone the foot of Awake now has one row, with the usual sound and any font", async ({ page, site }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  // The browser's own font is wider than ours, and shown where ours is late.
  await page.route("**/*.woff2", (route) => route.abort());
  await site.logIn({ email: await addMember(site) });
  const form = { keep: "watch-4002", seconds: "2700", duration: "2700", age: "0" };
  await page.request.post(site.url("/positions"), { form, headers: { Origin: new URL(site.url("/")).origin } });
  for (const piece of [1, 2, 3]) await site.open(`/awake?piece=read-500${piece}`);
  const links = page.getByRole("navigation", { name: "Awake now" }).getByRole("link");
  await expect(links).toHaveText(["Another", "Your usual sound", "Back to Dormouse"]);
  const middles = await links.evaluateAll((all) =>
    all.map((link) => {
      const { top, bottom } = link.getBoundingClientRect();
      return Math.round((top + bottom) / 2);
    }),
  );
  expect(new Set(middles).size).toBe(1);
});

test("a search term of one long word widens no page", async ({ page, site }) => {
  await site.logIn({ path: `/?q=${"x".repeat(64)}` });
  for (const width of [320, 390, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    await expectNoSidewaysScroll(page, `${width} px`);
  }
});

test("without script nothing in My Account is wider than the narrowest phone", async ({ browser, site }) => {
  const context = await browser.newContext({ javaScriptEnabled: false, viewport: { width: 320, height: 256 } });
  const page = await context.newPage();
  await page.goto(site.url("/login"));
  await fillLogIn(page, "team@dormouse.example");
  for (const row of ["membership", "open", "password", "devices", "stopped", "newsletter", "data", "close"]) {
    await page.goto(site.url(`/?account=${row}`));
    await expectNoSidewaysScroll(page, `My Account, ${row}`);
  }
  await context.close();
});

test.describe("with fonts that come late", () => {
  test.beforeEach(async ({ page }) => {
    await page.route("**/*.woff2", async (route) => {
      await page.waitForFunction(() => performance.getEntriesByName("first-contentful-paint").length > 0);
      await route.continue();
    });
  });

  for (const width of [390, 1280]) {
    test(`nothing on a member's page of ${width} px moves after it has appeared @core`, async ({ page, site }) => {
      await page.setViewportSize({ width, height: 844 });
      // The shared member has played items, whose cards say so.
      await site.logIn({ email: await addMember(site) });
      for (const path of [
        "/",
        "/?view=watch",
        "/?view=read",
        "/?view=watch&item=4002",
        "/?view=read&item=1001",
        "/login",
        "/nowhere",
      ]) {
        await site.open(path);
        await expectNoShift(page, path);
      }
    });
  }

  test("nothing on a sign-up step moves after it has appeared", async ({ page, site }) => {
    await reachPayment(page, site);
    for (const path of ["/signup", "/signup?verify=x", "/signup?step=1", "/signup?step=2", "/signup?step=3"]) {
      await site.open(path);
      if (path.endsWith("3")) await expect(page.getByLabel("Card number")).toBeVisible();
      await expectNoShift(page, path);
    }
    await payBy(page, site, "paid");
    await expect(page.getByRole("heading", { level: 1, name: "Payment Complete" })).toBeVisible();
    for (const path of ["/signup?step=4", "/"]) {
      await site.open(path);
      await expectNoShift(page, path);
    }
  });
});

test.describe("on a phone with script that comes late", () => {
  test.use({ script: "late", viewport: { width: 390, height: 844 } });

  test("the arrows of a slider find their place kept @core", async ({ page, site }) => {
    await site.logIn({ path: "/?view=read" });
    const below = page.getByRole("heading", { level: 2, name: "Articles", exact: true });
    const before = await below.boundingBox();
    await site.letScriptArrive();
    await expect(page.getByRole("button", { name: "Next: Featured Articles" })).toBeVisible();
    expect(await below.boundingBox()).toEqual(before);
    await expectNoShift(page, "/?view=read");
  });

  test("what the desk offers only with script finds its place kept", async ({ page, site }) => {
    await openDesk(page, site, "/desk/access");
    const below = page.getByRole("heading", { level: 2, name: "Recovery codes" });
    const before = await below.boundingBox();
    await site.letScriptArrive();
    await expect(page.getByRole("button", { name: "Add a passkey" })).toBeVisible();
    expect(await below.boundingBox()).toEqual(before);
  });
});
