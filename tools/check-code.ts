import { spawn } from "node:child_process";

/** Runs the checks in parallel, shows each output in one piece, and fails when one of them does. */
const checks = ["tsc", "lint", "format:check", "unused", "licences", "architecture"];

const isTypesMade = await check("typegen");
const results = await Promise.all(checks.map(check));
process.exitCode = isTypesMade && results.every(Boolean) ? 0 : 1;

function check(name: string): Promise<boolean> {
  const startedAt = performance.now();
  const child = spawn("npm", ["run", "--silent", name], { stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk: Buffer) => (output += chunk.toString()));
  return new Promise((resolve) => {
    child.once("close", (code) => {
      const isPassed = code === 0;
      const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
      console.log(isPassed ? `${name}: ${seconds} s` : `${name} failed:\n${output}`);
      resolve(isPassed);
    });
  });
}
