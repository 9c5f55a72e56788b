import { createReadStream } from "node:fs";

import { toEmailKey } from "../platform/email-address.ts";
import { toCodeKey } from "../money/companies/labels.ts";
import { errorText } from "../platform/faults.ts";
import { findPlan, listPlans, type Plan, PRODUCT_ID } from "../money/membership/plans.ts";
import type { ForeignMember } from "../operations/moving/member-line.ts";
import { isExpired, type ShopHarvest } from "../operations/moving/shop.ts";
import type { Services } from "../services.ts";
import { type CommandContext, withServices } from "./command-context.ts";
import {
  type Answer,
  type Command,
  FaultError,
  type Input,
  readCount,
  refuse,
  type Terminal,
  UsageError,
} from "./command.ts";
import { importOptions, importWithReport, readImportOptions, toAnswer } from "./import-report.ts";
import { printFacts, printInstant, printTable } from "../operations/acts/print.ts";

const defaultMap = listPlans()
  .map(({ variationId, type }) => `${variationId}=${type}`)
  .join(",");

export const importShop: Command = {
  summary: "import the members of a WooCommerce shop, through its REST API",
  words: ["URL"],
  options: {
    ...importOptions,
    yes: { help: "import them; otherwise you only see a table of what was read" },
    passwords: {
      value: "FILE",
      help: "a CSV file with the columns email and password_hash, which the shop doesn't provide",
    },
    product: { value: "N", help: `the number of the product there; otherwise ${PRODUCT_ID}` },
    map: { value: "LIST", help: `which of the shop's variations is which plan; otherwise ${defaultMap}` },
    all: { help: "include customers who never had a membership" },
  },
  example: "import woocommerce https://shop.example.org --passwords hashes.csv --dry-run",
  note: "Set WOOCOMMERCE_KEY and WOOCOMMERCE_SECRET to a key of its REST API with read permission. Nothing changes at the shop.",
  async run(input, terminal) {
    const [url = ""] = input.words;
    const { WOOCOMMERCE_KEY: key, WOOCOMMERCE_SECRET: secret } = terminal.env;
    if (!key || !secret)
      return refuse("WOOCOMMERCE_KEY and WOOCOMMERCE_SECRET must hold a key of the shop's REST API.");
    const plans = readMap(input.value("map") ?? defaultMap);
    const productId = readCount(input, "product", { min: 1, max: 999_999_999 }) ?? PRODUCT_ID;
    const { ShopFault, readShop } = await import("../operations/moving/shop.ts");
    return withServices(
      terminal,
      async (ctx) => {
        const hashes = await readHashes(input.value("passwords"));
        const isEveryone = input.has("all");
        const reading = {
          productId,
          findPlan: (id: number) => plans.get(id),
          hashes,
          isEveryone,
          now: ctx.services.clock(),
        };
        try {
          const harvest = await readShop(await ctx.services.openShop({ url, key, secret }), reading);
          return await importHarvest(harvest, { ...ctx, input, terminal });
        } catch (error) {
          if (error instanceof ShopFault) return refuse(`${error.message}.`);
          throw error;
        }
      },
      { hasContentAtOnce: true },
    );
  },
};

/** `118=1,501=3`: variations of the shop, each with the type of our plan. @throws {UsageError} */
function readMap(text: string): Map<number, Plan> {
  const pairs = text.split(",").map((pair): [number, Plan] => {
    const [, variation, type] = /^\s*(\d{1,9})\s*=\s*(\d)\s*$/.exec(pair) ?? [];
    const plan = findPlan(type);
    if (!plan) throw new UsageError(`--map must be a list such as ${defaultMap}, not “${text}”.`);
    return [Number(variation), plan];
  });
  return new Map(pairs);
}

async function readHashes(path: string | undefined): Promise<Map<string, string>> {
  const hashes = new Map<string, string>();
  if (path === undefined) return hashes;
  const { readMemberFile } = await import("../operations/moving/moving.ts");
  try {
    const { lines } = await readMemberFile(createReadStream(path));
    for await (const line of lines) {
      if (line.ok && line.member.passwordHash !== undefined) {
        hashes.set(toEmailKey(line.member.email), line.member.passwordHash);
      }
    }
  } catch (error) {
    throw new FaultError(`We can't read ${path}: ${errorText(error)}`, { cause: error });
  }
  return hashes;
}

type ShopContext = CommandContext & { input: Input; terminal: Terminal };

async function importHarvest(harvest: ShopHarvest, ctx: ShopContext): Promise<Answer> {
  const { services, input, terminal } = ctx;
  const table = describe(harvest, services.clock());
  const json = toJson(harvest, services.clock());
  if (!input.has("yes") && !input.has("dry-run")) {
    return {
      ok: true,
      text: `${table}\n\nNothing was changed. --dry-run shows what would happen to each member, and --yes does it.`,
      json,
    };
  }
  if (!input.has("json")) terminal.print(table);
  const missing = await findMissingCodes(services, harvest);
  if (!input.has("dry-run")) await createCodes(services, missing);
  const members = input.has("dry-run") ? withoutCodes(harvest.members, missing) : harvest.members;
  const arriving = members.map((member, place) => ({ number: place + 1, ok: true as const, member }));
  const counts = await importWithReport(arriving, { ...ctx, options: readImportOptions(input), what: "Term" });
  const answer = toAnswer(counts, { isRehearsal: input.has("dry-run") });
  return "json" in answer ? { ...answer, json: { ...json, ...answer.json } } : answer;
}

function describe(
  { from, customers, withoutTerm, leftOut, unclear, members, coupons }: ShopHarvest,
  now: Date,
): string {
  const rows = listPlans().map((plan) => {
    const terms = members.flatMap(({ term }) => (term?.planType === plan.type ? [term] : []));
    const running = terms.filter(({ endsAt }) => endsAt > now).length;
    return [plan.label, plan.variationId, running, terms.length - running];
  });
  const people = new Set(members.map(({ email }) => toEmailKey(email))).size;
  const withHash = new Set(members.flatMap((each) => (each.passwordHash === undefined ? [] : [toEmailKey(each.email)])))
    .size;
  return [
    printFacts([
      ["Read from", from],
      ["Customers of the shop", customers],
      ["Members to import", people],
      ["With their password", withHash],
      ["Customers without a membership", withoutTerm],
      [from === "orders" ? "Orders left out" : "Subscriptions left out", leftOut],
      [
        from === "orders" ? "Orders refunded in part, counted in full" : "Subscriptions for several, counted as one",
        unclear,
      ],
    ]),
    printTable(["PLAN", "VARIATION", "RUNNING TERMS", "ENDED TERMS"], rows, { whenEmpty: "There are no plans." }),
    printTable(
      ["COUPON", "USED", "LIMIT", "ENDS", "RUNNING TERMS"],
      coupons.map(({ code, used, limit, expiresAt, running }) => [code, used, limit, printInstant(expiresAt), running]),
      { whenEmpty: "No member joined with a coupon that covered the full price." },
    ),
  ].join("\n\n");
}

function toJson({ members, coupons, ...counts }: ShopHarvest, now: Date) {
  const running = members.filter(({ term }) => term && term.endsAt > now).length;
  return { ...counts, terms: members.length, running, coupons };
}

type Coupon = ShopHarvest["coupons"][number];

async function findMissingCodes({ codes, clock }: Services, { coupons }: ShopHarvest): Promise<Coupon[]> {
  const missing: Coupon[] = [];
  for (const coupon of coupons) {
    if (isExpired(coupon, clock()) || toCodeKey(coupon.code) === undefined) continue;
    if (!(await codes.findView(coupon.code))) missing.push(coupon);
  }
  return missing;
}

/** With the coupon's limit as seats, or more if it has more members. */
async function createCodes({ codes }: Services, missing: Coupon[]): Promise<void> {
  for (const { code, limit, running, expiresAt } of missing) {
    await codes.create({ code, seats: Math.max(limit ?? 0, running), endsAt: expiresAt });
  }
}

/** For a rehearsal: the import makes these codes. */
function withoutCodes(members: ForeignMember[], missing: Coupon[]): ForeignMember[] {
  const keys = new Set(missing.map(({ code }) => toCodeKey(code)));
  return members.map((each) => (each.code !== undefined && keys.has(toCodeKey(each.code)) ? withoutCode(each) : each));
}

function withoutCode(member: ForeignMember): ForeignMember {
  return { ...member, code: undefined };
}
