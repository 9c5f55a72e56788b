import { catalogueCommands } from "./catalogue-commands.ts";
import { codeCommands } from "./code-commands.ts";
import type { Command, Group } from "./command.ts";
import { companyCommands } from "./company-commands.ts";
import { demoCommand } from "./demo.ts";
import { doctorCommand } from "./doctor.ts";
import { mailCommands } from "./mail-commands.ts";
import { memberCommands } from "./member-commands.ts";
import { runCommand } from "./run-command.ts";
import { taskCommands } from "./task-commands.ts";

/** `npm run dormouse -- …`: what operators can do. */
const commands: Record<string, Command | Group> = {
  member: memberCommands,
  code: codeCommands,
  company: companyCommands,
  mail: mailCommands,
  task: taskCommands,
  catalogue: catalogueCommands,
  doctor: doctorCommand,
  demo: demoCommand,
};

// Whoever reads the answer may stop half-way (`| head`).
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code !== "EPIPE") throw error;
});

process.exitCode = await runCommand(commands, process.argv.slice(2));
