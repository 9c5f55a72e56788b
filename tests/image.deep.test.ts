import { execFileSync, spawn, spawnSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";

const UNSHARE = "/usr/bin/unshare";

/** Continuations joined, comments left out. */
const [buildStage = [], runStage = []] = readStages(readFileSync("Dockerfile", "utf8"));

function readStages(dockerfile: string): { word: string; rest: string }[][] {
  const lines = dockerfile
    .replaceAll(/^#.*\n/gm, "")
    .replaceAll("\\\n", " ")
    .split("\n")
    .filter((line) => line.trim() !== "");
  const stages: { word: string; rest: string }[][] = [];
  for (const line of lines) {
    const [, word = "", rest = ""] = /^(\w+)\s+(.*)$/.exec(line) ?? [];
    if (word === "FROM") stages.push([]);
    else stages.at(-1)?.push({ word, rest });
  }
  return stages;
}

function listValues(stage: typeof buildStage, word: string): string[] {
  return stage.filter((line) => line.word === word).map(({ rest }) => rest);
}

test("the image's steps give a server that runs as the user “nobody”, from files that it cannot write", async () => {
  const folder = mkdtempSync(join(tmpdir(), "dormouse-image-"));
  const [build, root] = ["build", "root"].map((name) => join(folder, name)) as [string, string];
  const [image, data] = [join(root, "dormouse"), join(root, "data")];
  for (const each of [build, root, image]) mkdirSync(each);

  // The build stage. CI has just run `npm ci` in this checkout: its result is reused.
  const [install = "", ...commands] = listValues(buildStage, "RUN");
  expect([install, ...commands.slice(0, 2)]).toEqual(["npm ci", "npm run build", "npm prune --omit=dev"]);
  for (const paths of listValues(buildStage, "COPY")) {
    const names = paths.split(/\s+/);
    for (const name of names.slice(0, -1)) cpSync(name, join(build, name), { recursive: true });
  }
  takeOverModules(join(build, "node_modules"));
  const env = { ...process.env, NODE_ENV: "production", BASE_PATH: "/", BUILD_DIR: "build" };
  for (const command of commands) {
    execFileSync("sh", ["-c", command.replace("npm prune", "npm prune --offline")], { cwd: build, env, stdio: "pipe" });
  }
  expect(listIdle(join(build, "node_modules"))).toEqual([]);
  const { components } = JSON.parse(readFileSync(join(build, "sbom.cdx.json"), "utf8")) as {
    components: { name: string }[];
  };
  const listed = new Set(components.map(({ name }) => name));
  expect(["react", "pg", "sharp", "vitest"].map((name) => listed.has(name))).toEqual([true, true, true, false]);

  // The run stage: only what it copies, and nothing writable.
  for (const paths of listValues(runStage, "COPY")) {
    const [from = "", to = ""] = paths.split(/\s+/).filter((word) => !word.startsWith("--"));
    const target = to.startsWith("/") ? join(root, to) : join(image, to);
    const source = from.replace("/dormouse", build);
    // As COPY does: the contents of a folder, or a file by its name. Links, because it is a quarter of a gigabyte.
    mkdirSync(target, { recursive: true });
    execFileSync("cp", ["-al", statSync(source).isDirectory() ? `${source}/.` : source, target]);
  }
  const isRoot = process.getuid?.() === 0;
  expect(listValues(runStage, "USER")).toEqual(["65534:65534"]);
  chmodSync(folder, 0o755);
  // COPY --chown; the build's own copy is another.
  rmSync(data, { recursive: true });
  mkdirSync(data);
  if (isRoot) chownSync(data, 65_534, 65_534);
  execFileSync("chmod", ["-R", "a-w", join(image, "server"), join(image, "build"), join(image, "package.json")]);

  // In its own root, where possible: then it finds no library but the image's.
  const enter = isRoot ? [UNSHARE, `--root=${root}`, "--wd=/dormouse", "--setgid=65534", "--setuid=65534", "--"] : [];
  const [program = "", ...args] = [...enter, ...(JSON.parse(listValues(runStage, "CMD")[0] ?? "[]") as string[])];
  const server = spawn(isRoot ? program : join(image, program), args, {
    cwd: image,
    stdio: ["ignore", "pipe", "inherit"],
    env: {
      NODE_ENV: "production",
      DATA_DIR: isRoot ? "/data" : data,
      BASE_PATH: "/",
      PORT: "0",
      HOST: "127.0.0.1",
      ORIGIN: "https://members.example.org",
      SESSION_SECRET: "c2xlZXAtd2VsbC10b25pZ2h0LW9yLW5vdC1hdC1hbGw",
      CONTACT_URL: "https://www.example.org/contact",
      CONTACT_EMAIL: "hello@example.org",
    },
  });
  // A failing test leaves no server behind, which vitest would wait for.
  onTestFinished(() => void server.kill("SIGKILL"));
  const ended = new Promise<number | null>((resolve) => server.once("exit", resolve));
  const port = await new Promise<string>((resolve, reject) => {
    let output = "";
    server.stdout.on("data", (chunk: Buffer) => {
      output += chunk.toString();
      const opened = /"port":(\d+)/.exec(output)?.[1];
      if (opened) resolve(opened);
    });
    void ended.then(() => reject(new Error(`the image's server ended:\n${output}`)));
  });
  expect((await fetch(`http://127.0.0.1:${port}/readyz`)).status).toBe(200);
  expect(await (await fetch(`http://127.0.0.1:${port}/login`)).text()).toContain("Log In");
  expect(existsSync(join(data, "dormouse.sqlite"))).toBe(true);

  // The health check with the server's settings, and with a path at which no server answers.
  const check = (basePath: string) => isHealthy(image, { PORT: port, BASE_PATH: basePath });
  expect(["", "/"].map(check)).toEqual([true, true]);
  expect(check("elsewhere")).toBe(false);
  server.kill("SIGTERM");
  expect(await ended).toBe(0);
  rmSync(folder, { recursive: true, force: true });
}, 180_000);

/** Useless in an image: build tools, compiler headers, manuals, and broken links. */
function listIdle(modules: string): string[] {
  const names = readdirSync(modules, { recursive: true, encoding: "utf8" });
  const isIdle = /^(?:vite|typescript|@typescript|@types\/node|node-linux-\w+\/(?:include|share))$/;
  const links = readdirSync(join(modules, ".bin")).map((name) => join(".bin", name));
  return [...names.filter((name) => isIdle.test(name)), ...links.filter((name) => !existsSync(join(modules, name)))];
}

/** The outcome of the image's HEALTHCHECK. */
function isHealthy(image: string, env: Record<string, string>): boolean {
  const [, words = "[]"] = /CMD\s+(\[.*\])/.exec(listValues(runStage, "HEALTHCHECK")[0] ?? "") ?? [];
  const [program = "", ...args] = JSON.parse(words) as string[];
  return spawnSync(join(image, program), args, { cwd: image, env }).status === 0;
}

/** By hard links where possible, because it is half a gigabyte. npm rewrites one file in it, which must be a copy. */
function takeOverModules(target: string): void {
  try {
    execFileSync("cp", ["-al", "node_modules", target], { stdio: "ignore" });
  } catch {
    rmSync(target, { recursive: true, force: true });
    execFileSync("cp", ["-a", "node_modules", target]);
  }
  const lock = join(target, ".package-lock.json");
  rmSync(lock);
  cpSync("node_modules/.package-lock.json", lock);
}
