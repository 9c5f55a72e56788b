import { expect, test } from "./fixtures.ts";

/** As a new phone makes them: more than the app accepts, and far below a browser's limits. */
const photo = { name: "photo.jpg", mimeType: "image/jpeg", buffer: Buffer.alloc(12_000_000, "photo") };

test.describe("with script off", () => {
  test.use({ script: "off", javaScriptEnabled: false });

  test("a photo of 12 MB is refused with a sentence and a link back to the form", async ({ page, site }) => {
    await site.logIn({ path: "/?account=open" });
    await page.getByLabel("Profile Picture").setInputFiles(photo);
    await page.getByRole("button", { name: /^Save/ }).first().click();
    await expect(page.getByRole("heading", { name: "File size is too big" })).toBeVisible();
    await expect(page.getByText("This picture is larger than 5 MB.")).toBeVisible();
    await page.getByRole("link", { name: "Back to My Account" }).click();
    await expect(page.getByLabel("First Name")).toHaveValue("Ada");
  });
});

test("script gets the same sentence, not a lost connection", async ({ page, site }) => {
  await site.logIn();
  const heard = await page.evaluate(async (path) => {
    const form = new FormData();
    form.set("picture", new Blob([new Uint8Array(30_000_000)]), "photo.jpg");
    const answer = await fetch(path, { method: "POST", body: form });
    return [answer.status, await answer.text()];
  }, site.url("/_.data"));
  expect(heard).toEqual([
    413,
    "File size is too big. This picture is larger than 5 MB. Please choose a smaller one.\n",
  ]);
});
