import { availableParallelism } from "node:os";
import { configDefaults, defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

import type { Engine } from "./server/platform/database/database.ts";

declare module "vitest" {
  export interface ProvidedContext {
    /** What the tests of modules run on in this project. */
    engines: Engine[];
  }
}

/** Vitest begins with the largest files. Two instances are a small one that takes half a minute, and would be waited for alone at the end. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    // oxlint-disable-next-line unicorn/no-array-sort -- it is Vitest's, not an array's
    const largestFirst = await super.sort(files);
    return largestFirst.toSorted((one, other) => Number(isLong(other)) - Number(isLong(one)));
  }
}

function isLong({ moduleId }: TestSpecification): boolean {
  return moduleId.includes("/two-instances.");
}

/** Tests that read the sources of the repository and nothing else. */
const aboutSources = ["tests/architecture.test.ts", "tests/docs.test.ts", "tests/planted/faults.test.ts"];

const leftOut = process.env.TEST_SET === "core" ? ["**/*.deep.test.ts"] : [];

/** Everything but the journeys, by what it needs. The framework's own plugin stays out: these tests use the build or plain modules. */
export default defineConfig({
  base: "/",
  test: {
    // By default a core is left idle, which of two is half of them; and tests wait for databases and processes.
    maxWorkers: availableParallelism() + 1,
    sequence: { sequencer: LongestFirst },
    exclude: [...configDefaults.exclude, ...leftOut],
    projects: [
      {
        extends: true,
        test: {
          name: "rules",
          include: ["server/**/*.test.ts", "app/**/*.test.{ts,tsx}", "tools/*.test.ts", ...aboutSources],
          provide: { engines: ["sqlite"] },
        },
      },
      {
        extends: true,
        test: {
          name: "postgres",
          include: ["tests/postgres/*.test.ts"],
          globalSetup: "tests/helpers/start-postgres.ts",
          provide: { engines: ["postgres"] },
        },
      },
      {
        extends: true,
        test: {
          name: "site",
          include: [
            "tests/*.test.ts",
            "bench/*.test.ts",
            "tests/{database,http,saga,contracts,fakes,faults,safety}/**/*.test.ts",
          ],
          exclude: aboutSources,
          globalSetup: ["tests/helpers/start-postgres.ts", "tests/helpers/build-site.ts"],
          provide: { engines: ["sqlite", "postgres"] },
        },
      },
    ],
    setupFiles: ["tests/helpers/set-up.ts"],
    // Loading modules again for each file is half the cost of the services' tests. So a file puts back its changes to the process.
    isolate: false,
    // Otherwise the build, of seven megabytes with its source map, would be read for each app that a test opens.
    server: { deps: { external: [/\/build[^/]*\/server\/index\.js$/] } },
    testTimeout: 180_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 10_000 } },
  },
});
