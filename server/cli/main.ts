import { runCommand } from "./run-command.ts";

// The reader of the output may stop early (`| head`).
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code !== "EPIPE") throw error;
});

process.exitCode = await runCommand(process.argv.slice(2), {
  env: process.env,
  print: (text) => console.log(text),
  complain: (sentence) => console.error(sentence),
});
