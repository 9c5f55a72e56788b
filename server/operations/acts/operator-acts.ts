import { isEmail } from "../../platform/email-address.ts";
import { printFacts } from "./print.ts";
import type { Operator } from "../operators/operators.ts";
import { MAX_NAME_LENGTH, type Role, roles } from "../operators/roles.ts";
import { operators as table } from "../../refusals.ts";
import type { Services } from "../../services.ts";
import { type ActContext, type ActResult, defineAct, refuseAct, type RefusedAct } from "./act.ts";
import { choiceField, type Field, emailAddress } from "./fields.ts";
import { toCount } from "../../platform/count.ts";
import { z } from "zod";

/** These acts need the password again: a session that was left open must not make another operator. */

const roleLabels: Record<Role, string> = {
  support: "Support: helps members",
  owner: "Owner: also manages money, codes, closures and operators",
};

const roleField = {
  label: "Role",
  hint: "Owners also manage money, codes, closures and operators.",
  schema: choiceField(roles, table["role-missing"]),
  value: roles.join("|"),
  options: roles.map((role) => ({ value: role, label: roleLabels[role] })),
} satisfies Field<Role>;

const GIVE_IT =
  "Give this link to that person only. They use it to choose a password and set up one-time codes. It works for three days, and we won't show it again.";

export const operatorActs = {
  "operator add": defineAct({
    subject: "none",
    fields: {
      email: {
        label: "Email",
        schema: emailAddress(table["email-invalid"]),
        value: "EMAIL",
        option: "",
        type: "email",
      },
      name: {
        label: "Name",
        hint: "Other operators see it.",
        schema: z
          .string({ error: table["name-invalid"] })
          .trim()
          .refine(
            (name) => name !== "" && name.length <= MAX_NAME_LENGTH && !/\p{C}/u.test(name),
            table["name-invalid"],
          ),
        value: "NAME",
      },
      role: roleField,
    },
    audit: "Added an operator",
    desk: {
      role: "owner",
      title: "Add an operator",
      button: "Add the operator",
      pending: "Adding...",
      note: "You get a link to give them. We show it once.",
      needsPassword: true,
    },
    command: {
      summary: "add an operator, and print the link that sets up their account",
      example: "operator add olive@example.org --name Olive --role owner",
      note: "Give the link to that person only. They use it to choose a password and set up one-time codes.",
    },
    run(wanted, { services, site, record }) {
      return services.transact(async (trx) => {
        const added = await services.operators.add(wanted, trx);
        if (!added) return refuseAct(table["operator-known"], "email");
        await record({ facts: { operator: added.operator.id } }, trx);
        return toInvited(added.operator, { invitation: added.invitation, site });
      });
    },
  }),

  "operator invite": defineAct({
    subject: "none",
    item: { words: ["EMAIL"] },
    fields: {},
    audit: "Invited an operator again",
    desk: {
      role: "owner",
      isEnding: true,
      title: "New invitation for {name}",
      button: "Make the invitation",
      pending: "Making it...",
      note: "For an operator who has lost their phone and recovery codes, or whose invitation has expired.",
      needsPassword: true,
    },
    command: {
      summary: "let an operator set up their account again: their password, codes and passkeys stop working",
      example: "operator invite olive@example.org",
    },
    async predict(_values, ctx) {
      const found = await findInvited(ctx);
      if ("ok" in found) return found;
      return [
        `The password, one-time codes and passkeys of ${found.name} stop working now, and they're logged out.`,
        "They set up their account again with a link that we show you once.",
      ];
    },
    async run(_values, ctx) {
      const found = await findInvited(ctx);
      if ("ok" in found) return found;
      const { services, site, record } = ctx;
      return services.transact(async (trx) => {
        const { invitation } = await services.operators.inviteAgain(found.id, trx);
        await record({ facts: { operator: found.id } }, trx);
        return toInvited(found, { invitation, site });
      });
    },
  }),

  "operator role": defineAct({
    subject: "none",
    item: { words: ["EMAIL"] },
    fields: { role: { ...roleField, value: "ROLE", option: "" } },
    audit: "Changed an operator's role",
    desk: {
      role: "owner",
      title: "Change the role of {name}",
      button: "Change the role",
      pending: "Changing it...",
      needsPassword: true,
    },
    command: { summary: "change an operator's role", example: "operator role olive@example.org support" },
    async predict({ role }, ctx) {
      const found = await findOperator(ctx);
      if (!found) return refuseUnknown(ctx.item);
      if (found.role === role) return refuseAct(table["role-same"]);
      if (role === "owner") return [`${found.name} can manage money, codes, closures and operators from now on.`];
      if (await isLastOwner(ctx.services, found)) return refuseAct(table["last-owner"]);
      return [
        `${found.name} can only help members from now on.`,
        ...(isSelf(ctx, found) ? ["That's you. Only another owner can make you an owner again."] : []),
      ];
    },
    async run({ role }, ctx) {
      const found = await findOperator(ctx);
      if (!found) return refuseUnknown(ctx.item);
      const { services, record } = ctx;
      return services.transact(async (trx) => {
        if (found.role === role) return refuseAct(table["role-same"]);
        if (role !== "owner" && (await services.operators.isLastOwner(found.id, trx))) {
          return refuseAct(table["last-owner"]);
        }
        await services.operators.setRole(found.id, role, trx);
        await record({ facts: { operator: found.id, role } }, trx);
        const message = `${found.email} now has the role ${role}.`;
        return { ok: true, message, json: { email: found.email, role } };
      });
    },
  }),

  "operator remove": defineAct({
    subject: "none",
    item: { words: ["EMAIL"] },
    fields: {},
    audit: "Removed an operator",
    desk: {
      role: "owner",
      isEnding: true,
      title: "Remove {name}",
      button: "Remove the operator",
      pending: "Removing...",
      needsPassword: true,
    },
    command: {
      summary: "remove an operator and log them out; the audit log still shows what they did",
      example: "operator remove olive@example.org",
    },
    async predict(_values, ctx) {
      const found = await findOperator(ctx);
      if (!found) return refuseUnknown(ctx.item);
      if (await isLastOwner(ctx.services, found)) return refuseAct(table["last-owner"]);
      return [
        `${found.name} is logged out now, and can't log in again.`,
        ...(isSelf(ctx, found) ? ["That's you. Only another owner can let you back in."] : []),
        "The audit log still shows what they did.",
      ];
    },
    async run(_values, ctx) {
      const found = await findOperator(ctx);
      if (!found) return refuseUnknown(ctx.item);
      const { services, record } = ctx;
      return services.transact(async (trx) => {
        if (await services.operators.isLastOwner(found.id, trx)) return refuseAct(table["last-owner"]);
        await services.operators.remove(found.id, trx);
        await record({ facts: { operator: found.id } }, trx);
        return { ok: true, message: `${found.email} is no longer an operator.`, json: { email: found.email } };
      });
    },
  }),
};

type Lookup = Pick<ActContext, "services" | "item" | "self">;

/** By number at the desk, by address in a command. */
async function findOperator({ services: { operators }, item }: Lookup): Promise<Operator | undefined> {
  const id = toCount(item);
  if (id === undefined) return operators.find(item);
  return (await operators.list()).find((each) => each.id === id);
}

/** An invitation for oneself would end the session that shows its link. */
async function findInvited(ctx: Lookup): Promise<Operator | RefusedAct> {
  const found = await findOperator(ctx);
  if (!found) return refuseUnknown(ctx.item);
  return isSelf(ctx, found) ? refuseAct(table["not-yourself"]) : found;
}

function isSelf({ self }: Lookup, { id }: Operator): boolean {
  return self?.operator.id === id;
}

/** The last owner stays, even against their own will. */
function isLastOwner({ operators, transact }: Services, { id }: Operator): Promise<boolean> {
  return transact((trx) => operators.isLastOwner(id, trx));
}

function refuseUnknown(item: string) {
  return refuseAct(isEmail(item) ? `There is no operator ${item}.` : table["no-operator"]);
}

function toInvited(
  { email, name, role }: Operator,
  { invitation, site }: { invitation: string; site: string },
): ActResult {
  const url = `${site}desk?invitation=${invitation}`;
  const text = printFacts([
    ["Operator", `${name} <${email}>`],
    ["Role", role],
    ["Link (works for three days)", url],
  ]);
  return { ok: true, message: GIVE_IT, shownOnce: [url], mailTo: email, text, json: { email, name, role, url } };
}
