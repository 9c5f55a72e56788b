import { runCommand } from "./run-command.ts";

/** `npm run dormouse -- …` */

// Whoever reads the answer may stop half-way (`| head`).
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code !== "EPIPE") throw error;
});

process.exitCode = await runCommand(process.argv.slice(2), {
  say: (text) => console.log(text),
  complain: (sentence) => console.error(sentence),
});
