import { displayFullName } from "../../../server/accounts/rules.ts";
import { z } from "zod";

import type { CodeView } from "../../../server/codes/code.ts";
import { faultLabels } from "../../../server/codes/rules.ts";
import { endCode, extendCode, freeSeat, makeCode } from "../../../server/desk/code-acts.ts";
import { parseDay } from "../../../server/desk/typed.ts";
import { formatDate } from "../../../server/format.ts";
import { companies as table } from "../../../server/refusals.ts";
import type { Services } from "../../../server/services.ts";
import { toCount } from "../../forms/text-of.ts";
import { refuseFor } from "./companies.ts";
import { defineAct, refuseAct } from "./define-act.ts";
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

const seatsField = z.string({ error: table.ours["seats-invalid"] }).regex(/^\d{1,7}$/, table.ours["seats-invalid"]);

const newCode = z.object({
  seats: seatsField.transform(Number),
  code: z.string().optional(),
  starts: z.string().optional(),
  ends: z.string().optional(),
});

const makeAct = defineAct({
  fields: newCode,
  async run({ seats, code, starts, ends }, { services, by }) {
    const [startsAt, endsAt] = [readDay(starts, "first"), readDay(ends, "last")];
    if (startsAt === "invalid") return refuseAct(table.ours["day-invalid"], "starts");
    if (endsAt === "invalid") return refuseAct(table.ours["day-invalid"], "ends");
    if (seats < 1) return refuseFor("seats-invalid", { "seats-invalid": "seats" });
    const made = await makeCode(services, by, { seats, code, startsAt, endsAt });
    if (!made.ok) return refuseFor(made.reason, fieldOf);
    return {
      ok: true,
      message: `The code ${made.code.code} is made.`,
      path: deskPath("code", { code: made.code.code }),
    };
  },
});

const fieldOf = {
  "code-malformed": "code",
  "code-taken": "code",
  "seats-invalid": "seats",
  "seats-fewer": "seats",
  "company-seats": "seats",
  "dates-invalid": "ends",
  "end-earlier": "ends",
};

/** An empty field is no day. */
function readDay(text: string | undefined, edge: "first" | "last"): Date | "invalid" | undefined {
  return text === undefined ? undefined : (parseDay(text.trim(), edge) ?? "invalid");
}

const extendAct = defineAct({
  fields: z.object({ ends: z.string().optional(), seats: seatsField.optional() }),
  async run({ ends, seats }, ctx) {
    const isForGood = ends?.trim().toLowerCase() === "for good";
    const endsAt = isForGood ? "for-good" : readDay(ends, "last");
    if (endsAt === "invalid") return refuseAct(table.ours["day-invalid"], "ends");
    const more = seats === undefined ? undefined : Number(seats);
    const extended = await extendCode(ctx.services, ctx.by, { code: ctx.subject, endsAt, seats: more });
    if (extended.ok) {
      const { until, seats: taken } = toLine(extended.code);
      return {
        ok: true,
        message: `Extended: it works until ${until === "for good" ? "it is ended" : until}, seats taken: ${taken}.`,
      };
    }
    const { reason } = extended;
    if (reason === "unknown" || reason === "revoked") return refuseFor(`code-${reason}`);
    return refuseFor(reason, fieldOf);
  },
});

const endAct = defineAct({
  fields: z.object({}),
  async run(_, ctx) {
    const ended = await endCode(ctx.services, ctx.by, ctx.subject);
    if (!ended.ok) return refuseFor(`code-${ended.reason}`);
    return { ok: true, message: "Ended: no one can join by this code any more. Members who have joined stay." };
  },
});

const freeAct = defineAct({
  fields: z.object({ subject: z.string().default("") }),
  async run({ subject }, ctx) {
    const { services, by, site } = ctx;
    const view = await services.codes.findView(ctx.subject);
    const memberId = toCount(subject) ?? 0;
    const freed = await freeSeat(services, by, { code: view?.code ?? "", memberId, site });
    if (!freed.ok) return refuseFor("no-seat");
    if (freed.isTold)
      return { ok: true, message: "The seat is free. The member was told, with the link to go on alone." };
    const rest = freed.terms === 0 ? "No term was paid by this code, so none ended." : "The member has access left.";
    return { ok: true, message: `The seat is free. ${rest}` };
  },
});

export const codeActs = {
  "code-make": makeAct,
  "code-extend": extendAct,
  "code-end": endAct,
  "seat-free": freeAct,
};
