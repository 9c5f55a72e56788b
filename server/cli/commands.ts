import { catalogueCommands } from "./catalogue-commands.ts";
import { codeCommands } from "./code-commands.ts";
import type { Command, Group } from "./command.ts";
import { companyCommands } from "./company-commands.ts";
import { databaseCommands } from "./database-commands.ts";
import { demoCommand } from "./demo.ts";
import { doctorCommand } from "./doctor.ts";
import { mailCommands } from "./mail-commands.ts";
import { memberCommands } from "./member-commands.ts";
import { taskCommands } from "./task-commands.ts";

/** What operators can do, by the word that it begins with. */
export const commands: Record<string, Command | Group> = {
  member: memberCommands,
  code: codeCommands,
  company: companyCommands,
  mail: mailCommands,
  task: taskCommands,
  catalogue: catalogueCommands,
  database: databaseCommands,
  doctor: doctorCommand,
  demo: demoCommand,
};
