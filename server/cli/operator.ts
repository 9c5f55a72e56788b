import { isEmail } from "../accounts/rules.ts";
import type { AuditAction } from "../audit/rules.ts";
import type { Operator } from "../operators/operators.ts";
import { roles } from "../operators/rules.ts";
import {
  type Answer,
  type Command,
  type Group,
  type Input,
  need,
  readChoice,
  refuse,
  type Terminal,
  UsageError,
} from "./command.ts";
import { type CommandContext, withServices } from "./command-context.ts";
import { printFacts, printInstant, printTable } from "./print.ts";

const MAX_NAME_LENGTH = 80;

const add: Command = {
  summary: "add an operator of the desk, and print the link by which they begin",
  words: ["EMAIL"],
  options: {
    name: { value: "NAME", help: "what they are called", isRequired: true },
    role: { value: roles.join("|"), help: "owners also decide about money, codes and closing", isRequired: true },
  },
  example: "operator add olive@example.org --name Olive --role owner",
  note: "Give the link to that person alone: behind it they choose their password and set up their one-time codes.",
  run(input, terminal) {
    const email = readAddress(input);
    const name = need(input.value("name"), "name");
    if (name.length > MAX_NAME_LENGTH || /\p{C}/u.test(name)) {
      throw new UsageError(`--name must be 1 to ${MAX_NAME_LENGTH} characters on one line.`);
    }
    const role = need(readChoice(input, "role", [...roles]), "role");
    return withServices(terminal, async (ctx) => {
      const added = await ctx.services.operators.add({ email, name, role });
      if (!added) return refuse(`There is an operator ${email} already: \`operator invite\` lets them begin anew.`);
      const { operator, invitation } = added;
      await record(ctx, operator, { action: "operator add" });
      return answerInvitation(ctx, operator, invitation);
    });
  },
};

const invite: Command = {
  summary: "let an operator begin anew: password, codes, passkeys and sessions are void",
  words: ["EMAIL"],
  example: "operator invite olive@example.org",
  run: withOperator(async (ctx, operator) => {
    const { invitation } = await ctx.services.operators.inviteAgain(operator.id);
    await record(ctx, operator, { action: "operator invite" });
    return answerInvitation(ctx, operator, invitation);
  }),
};

const list: Command = {
  summary: "list the operators by address",
  example: "operator list",
  run: (_input, terminal) =>
    withServices(terminal, async ({ services }) => {
      const operators = await services.operators.list();
      const rows = operators.map(({ email, name, role, isActive, createdAt }) => [
        email,
        name,
        role,
        isActive ? "yes" : "not yet",
        printInstant(createdAt),
      ]);
      const whenEmpty = "There are no operators, so there is no desk: `operator add` makes the first.";
      const text = printTable(["E-MAIL", "NAME", "ROLE", "HAS BEGUN", "SINCE"], rows, { whenEmpty });
      return { ok: true, text, json: { operators } };
    }),
};

const role: Command = {
  summary: "change an operator's role",
  words: ["EMAIL", "ROLE"],
  example: "operator role olive@example.org support",
  run(input, terminal) {
    const wanted = roles.find((each) => each === input.words[1]);
    if (!wanted) throw new UsageError(`A role is one of ${roles.join(", ")}, not “${input.words[1]}”.`);
    return withOperator(async (ctx, operator) => {
      await ctx.services.operators.setRole(operator.id, wanted);
      await record(ctx, operator, { action: "operator role", role: wanted });
      const text = `${operator.email} has the role ${wanted}.`;
      return { ok: true, text, json: { email: operator.email, role: wanted } };
    })(input, terminal);
  },
};

const remove: Command = {
  summary: "remove an operator: their sessions end, and what they did stays in the audit log",
  words: ["EMAIL"],
  example: "operator remove olive@example.org",
  run: withOperator(async (ctx, operator) => {
    await ctx.services.operators.remove(operator.id);
    await record(ctx, operator, { action: "operator remove" });
    return { ok: true, text: `${operator.email} is no operator any more.`, json: { email: operator.email } };
  }),
};

export const operatorCommands: Group = {
  summary: "operators of the desk, and their roles",
  commands: { add, invite, list, role, remove },
};

function readAddress({ words: [email = ""] }: Input): string {
  if (!isEmail(email)) throw new UsageError(`An operator is named by an e-mail address, not “${email}”.`);
  return email;
}

function withOperator(work: (ctx: CommandContext, operator: Operator) => Promise<Answer>) {
  return (input: Input, terminal: Terminal): Promise<Answer> => {
    const email = readAddress(input);
    return withServices(terminal, async (ctx) => {
      const operator = await ctx.services.operators.find(email);
      return operator ? work(ctx, operator) : refuse(`There is no operator ${email}.`);
    });
  };
}

/** By number: the log outlives the operator, and an address is personal data. */
function record(
  { services, operator }: CommandContext,
  { id }: Operator,
  { action, ...more }: { action: AuditAction; role?: string },
) {
  return services.audit.record({ operator, action, facts: { operator: id, ...more } });
}

function answerInvitation({ services }: CommandContext, operator: Operator, invitation: string): Answer {
  const url = `${services.site}desk?invitation=${invitation}`;
  const text = printFacts([
    ["Operator", `${operator.name} <${operator.email}>`],
    ["Role", operator.role],
    ["Link, for three days", url],
  ]);
  const { email, name, role: held } = operator;
  return { ok: true, text, json: { email, name, role: held, url } };
}
