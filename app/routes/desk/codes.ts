import { displayFullName } from "../../../server/accounts/rules.ts";
import type { CodeView } from "../../../server/codes/code.ts";
import { faultLabels } from "../../../server/codes/rules.ts";
import { formatDate } from "../../../server/format.ts";
import type { Services } from "../../../server/services.ts";
import { cutPage, type DeskView, deskPath, READ_SIZE, readNumber } from "./view.ts";

/** The codes, the latest first. */
export async function findCodesScreen({ codes }: Services, { params }: DeskView) {
  const found = await codes.listPage({ limit: READ_SIZE, before: readNumber(params, "before") });
  const { shown, nextPath } = cutPage(found, ({ id }) => deskPath("codes", { before: id }));
  return {
    name: "codes" as const,
    title: "Codes",
    codes: shown.map(toLine),
    nextPath,
    isFirst: !params.has("before"),
  };
}

export type CodesScreen = Awaited<ReturnType<typeof findCodesScreen>>;

function toLine(view: CodeView) {
  const { code, fault, seats, seatsTaken, startsAt, endsAt, company } = view;
  return {
    code,
    path: deskPath("code", { code }),
    works: fault ? `no: ${faultLabels[fault]}` : "yes",
    seats: `${seatsTaken} of ${seats}`,
    from: formatDate(startsAt),
    until: endsAt ? formatDate(endsAt) : "for good",
    company: company && { name: company.name, path: deskPath("company", { id: company.id }) },
  };
}

/** One code, with the members on its seats. */
export async function findCodeScreen({ codes, accounts }: Services, { params }: DeskView) {
  const typed = params.get("code") ?? "";
  const view = await codes.findView(typed);
  if (!view) return undefined;
  const { code } = view;
  const held = await codes.listHoldersPage({ code, limit: READ_SIZE, before: readNumber(params, "before") });
  const { shown, nextPath } = cutPage(held, ({ memberId }) => deskPath("code", { code, before: memberId }));
  return {
    ...toLine(view),
    name: "code" as const,
    title: code,
    isEnded: view.revokedAt !== undefined,
    endedOn: view.revokedAt && formatDate(view.revokedAt),
    products: view.products.join(", "),
    holders: await Promise.all(
      shown.map(async ({ memberId, takenAt }) => {
        const member = await accounts.findRecord(memberId);
        const label = (member && displayFullName(member)) || `Member ${memberId}`;
        const email = member?.closedEmail ?? member?.email;
        return { id: memberId, path: deskPath("member", { id: memberId }), label, email, since: formatDate(takenAt) };
      }),
    ),
    nextPath,
    firstPath: params.has("before") ? deskPath("code", { code }) : undefined,
  };
}

export type CodeScreen = NonNullable<Awaited<ReturnType<typeof findCodeScreen>>>;
