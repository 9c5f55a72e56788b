import { expect, test } from "@playwright/test";

import { DEMO_PASSWORD } from "../../server/cli/demo-data.ts";
import { devCommand, startStockServer } from "../helpers/stock-server.ts";
import { fillLogIn } from "./fixtures.ts";

/** One page of each screen. React's development build warns of what its production build does not report. */
const pages = [
  "/",
  "/?view=watch",
  "/?view=watch&item=2001",
  "/?view=watch&item=2001&play=1",
  "/?view=watch&item=4001",
  "/?view=read&item=1001",
  "/?view=favourites",
  "/?q=snoring",
  "/?account=open",
  "/company",
];

// A development build loads a few hundred files for each of nine pages, on a machine that may be busy.
test.describe.configure({ timeout: 240_000 });
// Playwright warns of a worker that it blocks.
test.use({ serviceWorkers: "allow" });

test("a first visit to the dev server of a fresh checkout runs script and warns of nothing", async ({ page }) => {
  await using server = await startStockServer([...devCommand, "--force"], { NODE_ENV: "development" });
  const complaints: string[] = [];
  page.on("pageerror", (error) => complaints.push(`${page.url()}: ${error}`));
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) complaints.push(`${page.url()}: ${message.text()}`);
  });
  const open = async (path: string) => {
    await page.goto(server.url + path);
    await page.locator("html[data-enhanced]").waitFor();
  };
  await open("/signup?step=1");
  await open("/login");
  await fillLogIn(page, "member@dormouse.example", DEMO_PASSWORD);
  await page.waitForURL(`${server.url}/`);
  for (const path of pages) await open(path);
  expect(complaints).toEqual([]);
});
