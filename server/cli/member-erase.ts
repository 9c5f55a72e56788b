import type { Kept } from "../personal-data/personal-data.ts";
import { refuse, UsageError, type Command } from "./command.ts";
import { MEMBER_WORD, withMember } from "./with-member.ts";

export const eraseCommand: Command = {
  summary: "forget a member: everything but what tax law wants kept, and that without their name",
  words: [MEMBER_WORD],
  options: { yes: { help: "do it: it cannot be undone", isRequired: true } },
  example: "member erase ada@example.org --yes",
  run(input) {
    if (!input.has("yes")) throw new UsageError("Erasing cannot be undone: say --yes to do it.");
    return withMember(async ({ rooms, config, operator, member }) => {
      const erased = await rooms.personalData.erase({ memberId: member.id, email: member.email }, operator);
      if (!erased.ok) return refuse(refusals[erased.reason]);
      const mailFolder = config.mail.kind === "files" ? config.mail.folder : undefined;
      const json = { memberId: member.id, kept: { ...erased.kept, mailFolder } };
      return { ok: true, text: sayKept(member.id, json.kept), json };
    })(input);
  },
};

const refusals = {
  "payment-under-way":
    "A payment of theirs is under way: try again in some minutes, or run `task run reconcile-payments` before.",
  "already-gone": "Somebody has erased this member meanwhile.",
};

function sayKept(memberId: number, kept: Kept & { mailFolder: string | undefined }): string {
  const { orders, actions, customersAtGateway, mailFolder } = kept;
  return [
    `Member ${memberId} is erased.`,
    "",
    "What is kept:",
    `- orders and their payments, without the person: ${orders} (number, dates and amount, which tax law wants kept)`,
    `- lines of what operators did, with the member's number alone: ${actions}`,
    ...(customersAtGateway.length > 0
      ? [`- at the card gateway, to be erased there: ${customersAtGateway.join(", ")}`]
      : []),
    ...(mailFolder === undefined ? [] : [`- mails that have left, as files in ${mailFolder}`]),
    "- backups made before now, for as long as you keep them",
  ].join("\n");
}
