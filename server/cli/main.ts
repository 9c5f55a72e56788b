import { demoCommand } from "./demo.ts";

/** One command of `dormouse`: what it is for, and its work; the exit code is what it answers. */
export type Command = { summary: string; run(args: string[]): Promise<number> };

const commands: Record<string, Command> = { demo: demoCommand };

const help = `Usage: npm run dormouse -- COMMAND

${Object.entries(commands)
  .map(([name, { summary }]) => `  ${name.padEnd(12)}${summary}`)
  .join("\n")}
`;

const [name = "--help", ...args] = process.argv.slice(2);
const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
if (name === "--help" || name === "-h") {
  console.log(help);
} else if (!command) {
  console.error(`There is no command “${name}”.\n\n${help}`);
  process.exitCode = 2;
} else {
  process.exitCode = await command.run(args);
}
