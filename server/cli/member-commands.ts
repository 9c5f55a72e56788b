import type { Group } from "./command.ts";
import { activate, deactivate, renewalLink } from "./member-access.ts";
import { eraseCommand } from "./member-erase.ts";
import { exportCommand } from "./member-export.ts";
import { list, show } from "./member-list.ts";

export const memberCommands: Group = {
  summary: "members, their access and their data",
  commands: {
    list,
    show,
    activate,
    deactivate,
    export: exportCommand,
    erase: eraseCommand,
    "renewal-link": renewalLink,
  },
};
