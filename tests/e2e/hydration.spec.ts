import type { Page } from "@playwright/test";

import { landingTexts } from "../../app/routes/member/dashboard/landing-texts.ts";
import { expect, test, type Site } from "./fixtures.ts";
import { findAccount, pngFile } from "./my-account.ts";
import { holdScript } from "./network.ts";
import { addMember } from "./new-member.ts";
import { addOperator, openDesk } from "./operators.ts";
import { reachPayment } from "./sign-up-steps.ts";

/** Add-ons change a page before its script comes, and a person uses it meanwhile. */

// React reports that it renders such a page again.
test.use({ script: "late", isRenderedAgain: true });

const disturbances: Record<string, () => void> = {
  "an element beside each field": () => {
    for (const field of document.querySelectorAll("input")) field.after(document.createElement("pm-icon"));
  },
  "a field in front of each field": () => {
    for (const field of document.querySelectorAll("input")) field.before(document.createElement("input"));
  },
  "an element first in the body": () => document.body.prepend(document.createElement("div")),
  "a window last in the body": () => document.body.append(document.createElement("div")),
  "an element round each field": () => {
    for (const field of document.querySelectorAll("input:not([type=hidden])")) {
      const wrapper = document.createElement("pm-wrapper");
      field.replaceWith(wrapper);
      wrapper.append(field);
    }
  },
  "elements and text in each form and label": () => {
    for (const parent of document.querySelectorAll("form, label")) parent.append("words", document.createElement("b"));
  },
  "other attributes and classes": () => {
    for (const element of document.querySelectorAll("*")) element.classList.add("pm-seen");
  },
  "elements taken away": () => {
    for (const element of document.querySelectorAll("p, h1, svg")) element.remove();
  },
  "other words in each text": () => {
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (texts.nextNode())
      if (texts.currentNode.parentElement?.localName !== "script") texts.currentNode.nodeValue += "!";
  },
  "a translation": () => {
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const texts: Text[] = [];
    while (walker.nextNode())
      if (walker.currentNode.parentElement?.localName !== "script") texts.push(walker.currentNode as Text);
    for (const text of texts) {
      const translated = document.createElement("font");
      translated.append(document.createElement("font"));
      translated.firstElementChild?.append(`«${text.data}»`);
      text.replaceWith(translated);
    }
  },
};

for (const [name, disturb] of Object.entries(disturbances)) {
  test(`what was typed stays: ${name} @core`, async ({ page, site }) => {
    await site.open("/login");
    const [email, password] = [page.locator("[name=email]"), page.locator("[name=password]")];
    await email.fill("member@dormouse.example");
    await password.pressSequentially("secet");
    await password.press("ArrowLeft");
    await password.press("ArrowLeft");
    await page.evaluate(disturb);
    // Moving the field took its focus away: the add-on did that, so restore it.
    await password.focus();
    await site.letScriptArrive();
    await page.keyboard.type("r");
    await expect(email).toHaveValue("member@dormouse.example");
    await expect(password).toHaveValue("secret");
    await expect(page.locator("button[aria-pressed=false]")).toBeVisible();
  });
}

/** A screen, and what a person does on it before script comes. */
type Screen = {
  name: string;
  path: string;
  /**
   * Whether it is tried at every moment: one page of each kind is, with typed fields, an upload, a scrolled text and a
   * menu.
   */
  isTypical?: boolean;
  open?: (page: Page, site: Site) => Promise<unknown>;
  act: (page: Page) => Promise<unknown>;
};

const asMember = (_: Page, site: Site) => site.logIn();

const screens: Screen[] = [
  {
    name: "log-in",
    isTypical: true,
    path: "/login",
    async act(page) {
      await page.getByLabel("Email").fill("ada@example.org");
      await page.getByLabel("Password", { exact: true }).fill("sleep-well");
    },
  },
  {
    name: "step 1 of sign-up",
    path: "/signup?step=1",
    async act(page) {
      await page.getByLabel("Individual").check();
      await page.getByLabel("Confirm password").fill("sleep-well");
      await page.getByLabel("First name").fill("Nora");
    },
  },
  {
    name: "the payment",
    path: "/signup?step=3",
    open: reachPayment,
    act: (page) => page.getByLabel("Postal code").fill("EX1 1AA"),
  },
  {
    name: "a company's log-in",
    path: "/company",
    act: (page) => page.getByLabel("Email").fill("hr@example.org"),
  },
  {
    name: "the desk's log-in",
    path: "/desk",
    open: async (page, site) => {
      await addOperator(site);
      await site.open("/desk");
    },
    async act(page) {
      await page.getByLabel("Email").fill("olive@desk.example");
      await page.getByLabel("Password").fill("sleep-well");
    },
  },
  {
    name: "an act of the desk",
    path: "/desk/access",
    open: openDesk,
    async act(page) {
      await page.locator("summary", { hasText: "Make new recovery codes" }).click();
      await page.getByRole("textbox", { name: "Your password" }).last().fill("sleep-well");
    },
  },
  {
    name: "My Account",
    isTypical: true,
    path: "/?account=open",
    open: async (_, site) => site.logIn({ email: await addMember(site) }),
    async act(page) {
      await findAccount(page)
        .getByLabel("Profile Picture")
        .setInputFiles(await pngFile());
      await findAccount(page).getByLabel("Email Address").fill("new@example.org");
      await findAccount(page).getByLabel("First Name").fill("Zoë");
    },
  },
  {
    name: "the search box",
    path: "/?view=read",
    open: asMember,
    act: (page) => page.getByRole("searchbox", { name: "Search" }).fill("snor"),
  },
  {
    name: "an article that was scrolled",
    isTypical: true,
    path: "/?view=read&item=1003",
    open: asMember,
    act: (page) => page.evaluate(() => window.scrollTo({ top: 700, behavior: "instant" })),
  },
  {
    name: "an open menu",
    isTypical: true,
    path: "/?view=read",
    open: asMember,
    act: (page) => page.getByRole("button", { name: /^Account of/ }).click(),
  },
];

/** Runs in the page. Some add-ons look for fields again and again. */
function addIcons(): void {
  for (const element of document.querySelectorAll("input, select, textarea, summary, video, audio, main p")) {
    if (element.nextElementSibling?.localName === "pm-icon") continue;
    const [icon, mark] = [document.createElement("pm-icon"), document.createElement("pm-mark")];
    // Without a size of its own: a browser scrolls by the height of what is inserted above.
    icon.style.position = mark.style.position = "absolute";
    element.after(icon);
    element.parentElement?.prepend(mark);
  }
}

const moments = ["before script comes", "while React takes the page in", "while the page arrives"] as const;

/** Prepares an add-on for a moment; returns how to begin. */
async function addIconsAt(page: Page, moment: (typeof moments)[number]): Promise<() => Promise<void>> {
  if (moment === "before script comes") return () => page.evaluate(addIcons);
  if (moment === "while the page arrives") {
    await page.addInitScript(
      `new MutationObserver(${addIcons.toString()}).observe(document, { childList: true, subtree: true })`,
    );
    return async () => {};
  }
  await page.addInitScript(`(${betweenSlices.toString()})(${addIcons.toString()})`);
  return () => slowDown(page);
}

/** Slow enough that React needs more than one time slice. */
async function slowDown(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send("Emulation.setCPUThrottlingRate", { rate: 6 });
}

/** Runs in the page: calls `act` once React has hydrated a part of it. */
function betweenSlices(act: () => void): void {
  const { port1, port2 } = new MessageChannel();
  const isHydrated = (element: Element) => Object.keys(element).some((key) => key.startsWith("__reactFiber"));
  port1.addEventListener("message", () => {
    if ("enhanced" in document.documentElement.dataset) return;
    if (![...document.body.querySelectorAll("*")].some(isHydrated)) return port2.postMessage("");
    act();
  });
  port1.start();
  // React begins by listening to the document.
  const { addEventListener } = document;
  document.addEventListener = (...args: Parameters<typeof addEventListener>) => {
    document.addEventListener = addEventListener;
    document.addEventListener(...args);
    port2.postMessage("");
  };
}

const media = [
  { name: "film", path: "/?view=watch&item=2001&play=1" },
  { name: "recording", path: "/?view=watch&item=4002" },
];

for (const moment of moments) {
  test.describe(`with an add-on at work ${moment}`, () => {
    const isFirst = moment === "before script comes";
    const tried = isFirst ? screens : screens.filter(({ isTypical }) => isTypical);
    const core = isFirst ? " @core" : "";
    for (const { name, path, open, act } of tried) {
      test(`on ${name} all is as it was left`, async ({ page, site }) => {
        await open?.(page, site);
        const disturb = await addIconsAt(page, moment);
        await site.open(path);
        await act(page);
        await disturb();
        const left = await readState(page);
        await site.letScriptArrive();
        expect(await readState(page)).toEqual(left);
      });
    }

    for (const { name, path } of media) {
      test(`a ${name} plays on${core}`, async ({ page, site }) => {
        await site.logIn();
        const disturb = await addIconsAt(page, moment);
        await site.open(path);
        const player = page.locator("video, audio");
        await player.evaluate(async (element: HTMLMediaElement) => {
          element.volume = 0.5;
          await element.play();
          element.currentTime = 10;
        });
        await expect.poll(() => readMedia(page)).toMatchObject({ isPlaying: true, isPast: true });
        await disturb();
        await site.letScriptArrive();
        await expect.poll(() => readMedia(page)).toEqual({ isPlaying: true, isPast: true, volume: 0.5 });
      });
    }
  });
}

function readState(page: Page) {
  return page.evaluate(() => {
    const fields = [...document.querySelectorAll<HTMLInputElement>("[name]:is(input, select, textarea)")];
    const focused = document.activeElement as HTMLInputElement;
    return {
      // My Account requests the password once the address was changed.
      fields: fields
        .filter(({ name }) => name !== "currentPassword")
        .map(({ name, value, checked }) => ({ name, value, checked })),
      focus: [focused.localName, focused.name, focused.selectionStart],
      // Script may insert fields above, such as those of a card: then the page scrolls by their height.
      scroll: focused === document.body ? window.scrollY : undefined,
      open: [...document.querySelectorAll(":popover-open, details[open] > summary")].map(
        ({ textContent }) => textContent,
      ),
    };
  });
}

test.describe("with an add-on at work while the page arrives", () => {
  test("a recording that was pressed and still waits for its sound plays then", async ({ page, site }) => {
    await site.logIn();
    await addIconsAt(page, "while the page arrives");
    const sound = Promise.withResolvers<void>();
    await page.route(/\.(?:webm|mp3)/, async (route) => {
      await sound.promise;
      await route.continue();
    });
    await site.open("/?view=watch&item=4002");
    await page.locator("audio").evaluate((element: HTMLMediaElement) => {
      element.play().catch(() => undefined);
      element.volume = 0.5;
    });
    await site.letScriptArrive();
    sound.resolve();
    await expect
      .poll(() => page.locator("audio").evaluate((element: HTMLMediaElement) => element.currentTime))
      .toBeGreaterThan(0);
    expect(await readMedia(page)).toMatchObject({ isPlaying: true, volume: 0.5 });
  });
});

test("a page answers while React takes it in @core", async ({ page, site }) => {
  await page.addInitScript(`(${betweenSlices.toString()})(() => document.documentElement.dataset.between = "")`);
  await slowDown(page);
  await site.open("/login");
  await site.letScriptArrive();
  await expect(page.locator("html")).toHaveAttribute("data-between");
});

test("a page is marked once what shows only with script is there", async ({ page, site }) => {
  await page.addInitScript(() => {
    new MutationObserver(() => {
      document.documentElement.dataset.shown ??= document.querySelector("button[aria-pressed]") ? "all" : "some";
    }).observe(document, { subtree: true, attributeFilter: ["data-enhanced"] });
  });
  await site.open("/login");
  await site.letScriptArrive();
  await expect(page.locator("html")).toHaveAttribute("data-shown", "all");
});

test("what was filled in before script came is known to the form afterwards @core", async ({ page, site }) => {
  await site.logIn({ email: await addMember(site), path: "/?account=open" });
  const account = findAccount(page);
  await page.evaluate(() => {
    const email = document.querySelector<HTMLInputElement>("dialog [name=email]");
    if (email) email.value = "new@example.org";
  });
  await account.getByLabel("Profile Picture").setInputFiles(await pngFile());
  await site.letScriptArrive();
  await expect(account.locator("[name=currentPassword]")).toBeVisible();
  await expect(account.getByRole("link", { name: "Cancel" })).toHaveAttribute("aria-disabled", "false");
  await expect(account.getByRole("img", { name: "The picture you chose" })).toBeVisible();
});

test.describe("on a fast line", () => {
  test.use({ script: "on" });

  test("what an add-on fills in as soon as the page is there logs in @core", async ({ page, site }) => {
    await page.addInitScript(() =>
      window.addEventListener("load", () => {
        const filled = { email: "member@dormouse.example", password: "sleep-well-tonight" };
        for (const [name, value] of Object.entries(filled)) {
          const field = document.querySelector<HTMLInputElement>(`[name=${name}]`);
          if (field) field.value = value;
          field?.after(document.createElement("pm-icon"));
        }
      }),
    );
    await site.open("/login");
    await page.getByRole("button", { name: "Log In", exact: true }).click();
    await expect(page.getByRole("heading", { level: 1, name: landingTexts.heading })).toBeVisible();
  });
});

function readMedia(page: Page) {
  return page.locator("video, audio").evaluate(({ paused, currentTime, volume }: HTMLMediaElement) => ({
    isPlaying: !paused,
    isPast: currentTime >= 10,
    volume,
  }));
}

test("after a reload Back shows the page it leads to, though the script is late again @core", async ({
  page,
  site,
}) => {
  await site.open("/login");
  await site.letScriptArrive();
  await page.locator("a[href$='?reset=1']").click();
  await expect(page.getByRole("heading", { level: 1, name: "Forgot your password" })).toBeVisible();
  // The browser would not request a script that it has in memory, so it could not be held.
  const session = await page.context().newCDPSession(page);
  await session.send("Network.enable");
  await session.send("Network.setCacheDisabled", { cacheDisabled: true });
  const released = await holdScript(page, "late");
  await page.reload({ waitUntil: "domcontentloaded" });
  // Both entries share one document, so the browser requests no page, and a running router may not notice.
  await page.evaluate(() => {
    addEventListener("popstate", () => sessionStorage.setItem("heard", "popstate"));
    history.back();
  });
  await expect(page.getByRole("heading", { level: 1, name: "Log in" })).toBeVisible();
  expect(new URL(page.url()).search).toBe("");
  expect(await page.evaluate(() => sessionStorage.getItem("heard"))).toBeNull();
  await released();
  await page.locator("html[data-enhanced]").waitFor();
  await expect(page.getByRole("heading", { level: 1, name: "Log in" })).toBeVisible();
});
