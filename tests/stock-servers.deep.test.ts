import { join } from "node:path";
import { expect, test } from "vitest";

import { emailsTo, readMailFolder } from "./helpers/mailbox.ts";
import { devCommand, serveCommand, startStockServer } from "./helpers/stock-server.ts";

test.each([
  ["the framework's own server", serveCommand, {}],
  ["the framework's dev server", devCommand, { NODE_ENV: "development" }],
])("%s runs the same build with the same services, which send their emails", async (_name, command, env) => {
  await using server = await startStockServer(command, env);
  const page = await fetch(`${server.url}/login`);
  expect(page.status).toBe(200);
  expect(await page.text()).toContain("Log In");
  expect(await (await fetch(`${server.url}/readyz`)).json()).toEqual({ database: true, catalogue: true });
  const email = "member@dormouse.example";
  const answer = await fetch(`${server.url}/login?reset=1`, {
    method: "POST",
    headers: { Origin: server.url },
    body: new URLSearchParams({ intent: "reset-request", email }),
    redirect: "manual",
  });
  expect(answer.status).toBe(303);
  const emails = async () => emailsTo(email, await readMailFolder(join(server.dataDir, "outbox")));
  await expect.poll(emails, { timeout: 20_000 }).toHaveLength(1);
});
