import type { Locator, Page } from "@playwright/test";

import { svg } from "../helpers/pictures.ts";
import { expect, test } from "./fixtures.ts";
import { findAccount, enter, pngFile, saveButton } from "./my-account.ts";
import { addMember } from "./new-member.ts";

type Dragged = { name: string; type: string; size?: number; text?: string };

/** Drags a file over the field or elsewhere, and drops it on request. The page never navigates to it. */
async function drag(
  page: Page,
  file: Dragged,
  { isDropped = false, onto }: { isDropped?: boolean; onto?: Locator } = {},
) {
  const transfer = await page.evaluateHandle(({ name, type, size, text = "x" }) => {
    const data = new DataTransfer();
    data.items.add(new File(size === undefined ? [text] : [new Uint8Array(size)], name, { type }));
    return data;
  }, file);
  const target = onto ?? findAccount(page).getByText("Click to upload or drag and drop");
  for (const type of isDropped ? ["dragover", "drop"] : ["dragover"]) {
    const isAccepted = await target.evaluate(
      (element, { dataTransfer, name }) =>
        !element.dispatchEvent(new DragEvent(name, { dataTransfer, bubbles: true, cancelable: true })),
      { dataTransfer: transfer, name: type },
    );
    expect(isAccepted, type).toBe(true);
  }
}

test("a wrong file is marked while it is dragged, and refused when it is dropped", async ({ page, site }) => {
  await enter(page, site);
  const account = findAccount(page);
  const hover = account.getByText("File type/size error, Hovered on types!");
  await drag(page, { name: "notes.txt", type: "text/plain" });
  await expect(hover).toBeVisible();
  await drag(page, { name: "me.png", type: "image/png" });
  await expect(hover).toHaveCount(0);
  for (const [file, sentence] of [
    [{ name: "notes.txt", type: "text/plain" }, "File type is not supported"],
    [{ name: "me.png", type: "image/png", size: 0 }, "File size is too small"],
    [{ name: "me.JPG", type: "image/jpeg", size: 5 * 1024 * 1024 + 1 }, "File size is too big"],
  ] as const) {
    await drag(page, file, { isDropped: true });
    await expect(account.getByText(sentence)).toBeVisible();
    await expect(hover).toHaveCount(0);
    await expect(account.getByLabel("Profile Picture")).toHaveValue("");
    await expect(account.getByLabel("Profile Picture")).toHaveAccessibleDescription(new RegExp(sentence));
    await expect(account.getByRole("link", { name: "Cancel" })).toHaveAttribute("aria-disabled", "true");
  }
});

test("a dropped picture is previewed before it is saved, and in the bar after @core", async ({ page, site }) => {
  await enter(page, site);
  const account = findAccount(page);
  await drag(
    page,
    { name: "drawn.svg", type: "image/svg+xml", text: svg('<rect width="80" height="40"/>').toString() },
    { isDropped: true },
  );
  await expect(account.locator('[aria-live="polite"]').filter({ hasText: "drawn.svg" })).toBeVisible();
  await account.getByLabel("Profile Picture").setInputFiles(await pngFile());
  const preview = account.getByRole("img", { name: "The picture you chose" });
  await expect(preview).toBeVisible();
  const colour = () =>
    preview.evaluate((canvas) => [
      ...((canvas as HTMLCanvasElement).getContext("2d")?.getImageData(80, 80, 1, 1).data ?? []),
    ]);
  await expect.poll(colour).toEqual([220, 20, 30, 255]);
  await drag(
    page,
    { name: "drawn.svg", type: "image/svg+xml", text: svg('<rect width="80" height="40"/>').toString() },
    { isDropped: true },
  );
  await saveButton(page).click();
  await expect(account.getByText("Your details are saved.")).toBeVisible();
  await expect(page.locator("#account-button img")).toHaveJSProperty("naturalWidth", 800);
  await account.getByLabel("Surname").fill("Lovell-Fenn");
  await account.getByRole("button", { name: "Remove picture" }).click();
  await expect(account.getByText("Your picture is removed.")).toBeVisible();
  await expect(page.locator("#account-button img")).toHaveCount(0);
  await expect(account.getByLabel("Surname")).toHaveValue("Lovell-Fenn");
});

test("closing the file chooser without a choice, or with the same file, keeps the dialog open", async ({
  page,
  site,
}) => {
  await enter(page, site);
  const picture = findAccount(page).getByLabel("Profile Picture");
  await picture.setInputFiles(await pngFile());
  await picture.setInputFiles(await pngFile());
  await picture.dispatchEvent("cancel", { bubbles: true });
  await expect(findAccount(page).getByRole("img", { name: "The picture you chose" })).toBeVisible();
});

test("the drop zone is small until something is dragged over the page, and a file that misses it changes nothing", async ({
  page,
  site,
}) => {
  await enter(page, site);
  const account = findAccount(page);
  const readHeight = async () => (await account.locator("[data-ready]").boundingBox())?.height ?? 0;
  const small = await readHeight();
  expect(small).toBeLessThan(90);
  await account.getByLabel("First Name").fill("Zoë");
  await drag(
    page,
    { name: "me.png", type: "image/png" },
    { onto: account.getByRole("heading", { name: "My Account" }) },
  );
  await expect.poll(readHeight).toBeGreaterThan(150);
  await drag(
    page,
    { name: "me.png", type: "image/png" },
    { onto: account.getByRole("heading", { name: "My Account" }), isDropped: true },
  );
  await expect.poll(readHeight).toBe(small);
  await expect(account.getByLabel("Profile Picture")).toHaveValue("");
  await expect(account.getByLabel("First Name")).toHaveValue("Zoë");
});

for (const script of ["late", "blocked"] as const) {
  test.describe(`with script ${script}`, () => {
    test.use({ script });

    test("the browser's own field does not flash before script, and comes where script does not", async ({
      page,
      site,
    }) => {
      await site.logIn({ email: await addMember(site), path: "/?account=open" });
      const field = findAccount(page).locator("[name=picture]");
      const readOpacity = (isOver: boolean) =>
        field.evaluate((element, over) => {
          for (const animation of element.getAnimations()) {
            if (over) animation.finish();
            else animation.currentTime = 0;
          }
          return getComputedStyle(element).opacity;
        }, isOver);
      const readPlace = () => saveButton(page).boundingBox();
      expect(await readOpacity(false)).toBe("0");
      const place = await readPlace();
      await site.letScriptArrive();
      if (script === "late") await expect(findAccount(page).locator("[data-ready]")).toBeVisible();
      if (script === "late") expect(await readPlace(), "nothing moves when script comes").toEqual(place);
      expect(await readOpacity(true)).toBe(script === "late" ? "0" : "1");
    });
  });
}
