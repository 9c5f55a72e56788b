import { existsSync, globSync, readFileSync } from "node:fs";
import { basename } from "node:path";
import { expect, test } from "vitest";

import { ada, logIn } from "../helpers/account-page.ts";
import { addCompany, openContact } from "../helpers/company-page.ts";
import { openDesk } from "../helpers/desk.ts";
import { reachPayment } from "../helpers/newcomer.ts";
import { openSite } from "../helpers/site.ts";

const modules = globSync("app/**/*.module.css").map((file) => basename(file, ".module.css"));

/** Classes of CSS modules (`vite.config.ts` names them) without a rule in the page's style sheets. */
function findUnstyled(html: string): string[] {
  const sheets = [...html.matchAll(/<link [^>]*rel="stylesheet" href="\/([^"#]+)/g)].map(([, path]) =>
    readFileSync(`build/client/${path}`, "utf8"),
  );
  const styled = new Set(sheets.flatMap((css) => [...css.matchAll(/\.([\w-]+)/g)].map(([, name]) => name)));
  const classes = [...html.matchAll(/ class="([^"]*)"/g)].flatMap(([, names = ""]) => names.split(" "));
  const ofModules = [...new Set(classes)].filter((name) => modules.some((module) => name.startsWith(`${module}-`)));
  expect(ofModules).not.toEqual([]);
  return ofModules.filter((name) => !styled.has(name));
}

test("each kind of page has the style sheets of all that it shows without script, and no Suspense boundary", async () => {
  await using site = await openSite();
  const [visitor, member] = [site.openBrowser(), await logIn(site, ada)];
  const { browser: payer } = await reachPayment(site);
  const contact = await openContact(site, await addCompany(site));
  const desk = await openDesk(site);
  const pages = [
    { browser: visitor, paths: ["/login", "/login?reset=1", "/signup", "/desk", "/company", "/nowhere"] },
    { browser: payer, paths: ["/signup?step=2", "/signup?step=3"] },
    { browser: member, paths: ["/", "/?q=snoring", "/?view=favourites", "/?view=read"] },
    { browser: member, paths: ["/?view=read&item=1001", "/?view=watch&item=2001", "/?view=learn&item=3001"] },
    { browser: member, paths: ["/?account=open", "/?account=password", "/?view=read&account=close"] },
    { browser: desk.browser, paths: ["/desk", "/desk/members", "/desk/health", "/desk/content"] },
    { browser: contact, paths: ["/company"] },
  ];
  for (const { browser, paths } of pages) {
    for (const path of paths) {
      const { text } = await browser.get(path);
      expect(findUnstyled(text), path).toEqual([]);
      // React marks a Suspense boundary so, and hydrates it later, when an add-on may have changed it.
      expect(text, path).not.toContain("<!--$");
    }
  }
});

test("every file that a style sheet names was built, and is named from the root", () => {
  const sheets = globSync("build/client/assets/*.css").map((file) => readFileSync(file, "utf8"));
  const names = sheets.flatMap((css) => [...css.matchAll(/url\(["']?([^"')]+)/g)].map(([, name = ""]) => name));
  expect(names.some((name) => name.includes(".svg"))).toBe(true);
  expect(names.filter((name) => !existsSync(`build/client${name.replace(/[?#].*/, "")}`))).toEqual([]);
});
