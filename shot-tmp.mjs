import { chromium } from "playwright-core";
const [, , base, out, ...paths] = process.argv;
const b = await chromium.launch({ executablePath: "/usr/bin/chromium", args: ["--no-sandbox", "--disable-gpu"] });
const widths = (process.env.W || "390,1280").split(",").map(Number);
for (const scheme of (process.env.S || "night").split(","))
  for (const w of widths) {
    const c = await b.newContext({
      viewport: { width: w, height: w < 600 ? 844 : 900 },
      colorScheme: scheme === "night" ? "dark" : "light",
      javaScriptEnabled: process.env.JS !== "off",
    });
    const p = await c.newPage();
    await p.request.post(base + "login", {
      form: { intent: "log-in", email: "member@dormouse.example", password: "sleep-well-tonight" },
      headers: { Origin: new URL(base).origin },
      maxRedirects: 0,
    });
    for (const [i, path] of paths.entries()) {
      await p.goto(base + path);
      await p.waitForTimeout(700);
      await p.screenshot({ path: `${out}/${i}-${w}-${scheme}.png`, fullPage: process.env.FULL === "1" });
    }
    await c.close();
  }
await b.close();
