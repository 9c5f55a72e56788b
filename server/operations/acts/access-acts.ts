import { desk as table } from "../../refusals.ts";
import { defineAct, refuseAct } from "./act.ts";

/** Always the same, so the form asks for none. */
const ownReason = "Own access";

export const accessActs = {
  "access recovery": defineAct({
    subject: "self",
    fields: {},
    audit: { as: "desk recovery codes" },
    desk: {
      role: "support",
      title: "Make new recovery codes",
      button: "Make ten new codes",
      pending: "Making them...",
      note: "Your current codes stop working.",
      ownReason,
      needsPassword: true,
    },
    async run(_values, { services, subject: { operator }, record }) {
      const shownOnce = await services.transact(async (trx) => {
        await record({}, trx);
        return services.operators.replaceRecoveryCodes(operator.id, trx);
      });
      return {
        ok: true,
        message:
          "Here are your new recovery codes. The old ones no longer work. Write these down now: we won't show them again.",
        shownOnce,
      };
    },
  }),

  "access passkey-remove": defineAct({
    subject: "self",
    item: { words: [] },
    fields: {},
    audit: { as: "desk passkey removed" },
    desk: {
      role: "support",
      isEnding: true,
      title: "Remove “{name}”",
      button: "Remove the passkey",
      pending: "Removing...",
      ownReason,
    },
    async predict(_values, { services: { operators }, subject: { operator }, item }) {
      const passkey = (await operators.listPasskeys(operator.id)).find(({ id }) => id === item);
      return passkey ? [`You can no longer log in with “${passkey.name}”.`] : refuseAct(table["no-passkey"]);
    },
    run(_values, { services, subject: { operator }, item, record }) {
      return services.transact(async (trx) => {
        if (!(await services.operators.removePasskey(operator.id, item, trx))) {
          return refuseAct(table["no-passkey"]);
        }
        await record({}, trx);
        return { ok: true, message: "Passkey removed." };
      });
    },
  }),

  "access sessions": defineAct({
    subject: "self",
    fields: {},
    audit: { as: "desk sessions ended" },
    desk: {
      role: "support",
      title: "Log out everywhere else",
      button: "Log out everywhere else",
      pending: "Logging out...",
      ownReason,
    },
    async run(_values, { services, subject: { operator, tokenHash }, record }) {
      const ended = await services.transact(async (trx) => {
        const count = await services.operators.endSessions(operator.id, tokenHash, trx);
        await record({ facts: { ended: count } }, trx);
        return count;
      });
      return {
        ok: true,
        message:
          ended === 0
            ? "You weren't logged in anywhere else."
            : `Logged out everywhere else. Sessions ended: ${ended}.`,
      };
    },
  }),
};
