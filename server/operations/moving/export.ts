import type { Accounts, OpenMember } from "../../members/accounts/accounts.ts";
import type { Codes } from "../../money/companies/codes.ts";
import { itemKey } from "../../content/items/kinds.ts";
import type { Favourites } from "../../members/favourites/favourites.ts";
import type { HeldSubscription, Membership } from "../../money/membership/membership.ts";
import { plans } from "../../money/membership/plans.ts";
import { type ColumnName, columns } from "./member-line.ts";

type ExportContext = { accounts: Accounts; membership: Membership; codes: Codes; favourites: Favourites };

const exported = [
  "email",
  "firstName",
  "lastName",
  "password",
  "type",
  "plan",
  "start",
  "end",
  "code",
  "favourites",
  "joined",
] satisfies ColumnName[];

export const exportHeading = exported.map((name) => columns[name][0] ?? name);

const PAGE_SIZE = 200;

/**
 * Members who are not closed, with a line for each term; a term that was ended early ends then. Hashes only on request.
 */
export async function* exportMembers(
  ctx: ExportContext,
  options: { hasHashes: boolean },
): AsyncGenerator<string[], void, undefined> {
  let after = 0;
  for (;;) {
    const page = await ctx.accounts.listOpen({ after, size: PAGE_SIZE });
    const last = page.at(-1);
    if (!last) return;
    for (const member of page) yield* await listLines(ctx, member, options);
    after = last.id;
  }
}

async function listLines(
  { membership, codes, favourites }: ExportContext,
  member: OpenMember,
  { hasHashes }: { hasHashes: boolean },
): Promise<string[][]> {
  const terms = (await membership.listFor(member.id)).flatMap(toTermCells);
  const [seat] = member.accountType === "corporate" ? await codes.listSeatsFor(member.id) : [];
  const items = (await favourites.listFor(member.id)).map(itemKey).join(" ");
  const details = [
    member.email,
    member.firstName,
    member.lastName,
    hasHashes ? member.passwordHash : "",
    member.accountType,
  ];
  const rest = (isFirst: boolean) => [
    isFirst ? (seat?.code ?? "") : "",
    isFirst ? items : "",
    member.createdAt.toISOString(),
  ];
  const lines = terms.length > 0 ? terms : [["", "", ""]];
  return lines.map((term, place) => details.concat(term, rest(place === 0)));
}

function toTermCells({ planType, startsAt, endsAt, revokedAt }: HeldSubscription): string[][] {
  const end = revokedAt !== undefined && revokedAt < endsAt ? revokedAt : endsAt;
  return startsAt < end ? [[plans[planType].label, startsAt.toISOString(), end.toISOString()]] : [];
}
