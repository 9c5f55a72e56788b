import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

import { codeCommands } from "../server/cli/code.ts";
import * as refusals from "../server/refusals.ts";
import { listTexts } from "./list-texts.ts";

const listFile = (path: string) => listTexts(path, readFileSync(join(import.meta.dirname, "..", path), "utf8"));

test("texts of a screen are listed as they are read, names of classes and fields are not", () => {
  const page = `
    import { Field } from "../a field.tsx";
    const look = isOpen ? styles.open : styles.shut;
    log.info("sign-up started now");
    export const Page = ({ name }: { name: "one two" | "three" }) => (
      <main className="wide dark" data-x={\`\${styles.card} \${look}\`}>
        <p>Hello {name}, see our <Link to="/terms">terms</Link> first.</p>
        <Field name="first_name" label="Surname" hint={isNew ? "As on your card." : undefined} />
        <Button pending="Saving...">{kind === "old one" ? \`Save \${count} changes\` : "Save " + "all of it"}</Button>
      </main>
    );`;
  expect(listTexts("page.tsx", page)).toEqual([
    "Hello {name}, see our terms first.",
    "terms",
    "Surname",
    "As on your card.",
    "Saving...",
    "Save {count} changes",
    "Save all of it",
  ]);
});

test("SQL, headers and names of counters are not listed", () => {
  const module = `
    const rows = await sql\`select id from members where email = \${email}\`.execute(db);
    await db.selectFrom("subscriptions as later").where("later.endedAt", "is not", null).execute();
    headers.set("Content-Type", "text/plain; charset=utf-8");
    await rateLimiter.count(\`sign-up email \${email}\`, limit);
    return refuse(\`There is no member \${email}.\`);`;
  expect(listTexts("module.ts", module)).toEqual(["There is no member {email}."]);
});

test("the list has screens, emails, refusals, commands and legal pages", () => {
  expect(listFile("app/routes/member/dashboard/locked.tsx")).toContain("No active subscription");
  expect(listFile("server/members/accounts/emails.ts")).toContain("Your password was changed");
  expect(listFile("server/cli/code.ts")).toContain(codeCommands.summary);
  expect(listFile("server/operations/legal/terms.md")).toContain("## What it costs");
  expect(listFile("server/content/urgent-help/urgent-help.yaml")).toContain("Please talk to someone now");
  const sentences = Object.values(refusals).flatMap((section) => Object.values(section));
  expect(listFile("server/refusals.ts")).toEqual(
    expect.arrayContaining(sentences.filter((sentence) => typeof sentence === "string")),
  );
});
