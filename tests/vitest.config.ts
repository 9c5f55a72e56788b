import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Vitest begins with the largest files. Two instances are a small one that takes half a minute, and would be waited for alone at the end. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isLong = ({ moduleId }: TestSpecification) => moduleId.includes("/two-instances.test");
    // oxlint-disable-next-line unicorn/no-array-sort -- it is Vitest's, not an array's
    const largestFirst = await super.sort(files);
    return largestFirst.toSorted((one, other) => Number(isLong(other)) - Number(isLong(one)));
  }
}

/** Everything but the journeys. The framework's own plugin stays out: these tests use the build or plain modules. */
export default defineConfig({
  root: `${import.meta.dirname}/..`,
  base: "/",
  resolve: { tsconfigPaths: true },
  test: {
    include: [
      "server/**/*.test.ts",
      "app/**/*.test.{ts,tsx}",
      "bench/*.test.ts",
      "tools/*.test.ts",
      "tests/*.test.ts",
      "tests/{http,saga,contracts,fakes,faults,safety}/**/*.test.ts",
    ],
    globalSetup: "tests/helpers/global-setup.ts",
    setupFiles: ["tests/helpers/set-up.ts"],
    // By default a core is left idle, which of two is half of them; and tests wait for databases and processes.
    maxWorkers: availableParallelism() + 1,
    // Loading modules anew for each file is half the cost of the services' tests. So a file puts back its changes to the process.
    isolate: false,
    sequence: { sequencer: LongestFirst },
    // Otherwise the build, of seven megabytes with its source map, would be read for each app that a test opens.
    server: { deps: { external: [/\/build[^/]*\/server\/index\.js$/] } },
    testTimeout: 180_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 10_000 } },
  },
});
