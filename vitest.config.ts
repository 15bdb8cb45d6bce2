import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

const root = fileURLToPath(new URL(".", import.meta.url)).replace(/\/$/, "");
const elsewhere = ["node_modules/**", ".next/**", ".data/**", "e2e/**"];

/** Values that have no meaning but to be there; never the developer's own environment. */
const env = {
  LOG_LEVEL: "fatal",
  APP_URL: "http://localhost:3000",
  APP_SECRET: "a secret that only tests use",
  CRON_SECRET: "a cron secret that only tests use",
  DATABASE_URL: "",
  MAIL_TRANSPORT: "capture",
  DNS_SERVERS: "",
  // db/testing/global-setup.ts removes it.
  DATA_DIR: join(tmpdir(), `lettermill-tests-${process.pid}`),
};

const shared = {
  environment: "node" as const,
  env,
  pool: "forks" as const,
  isolate: false,
  setupFiles: ["lib/testing/leave-no-trace.ts"],
  testTimeout: 20_000,
};

/** They start one Postgres for all. */
const onDatabase = {
  ...shared,
  globalSetup: ["db/testing/global-setup.ts"],
  hookTimeout: 60_000,
};

/** What they test is the state of a whole process: its metrics, its languages, whether it is ready. */
const alone = [
  "bin/watch/*.db.test.ts",
  "bin/web/health.db.test.ts",
  "lib/doors/http/public/right-to-left.db.test.ts",
];

/** Half a minute and more each, where most take a second: begun last, one of them would run on by itself. */
const longest = [
  "bin/move/broken-off.db.test.ts",
  "bin/move/move.db.test.ts",
  "lib/doors/http/contract/contract.db.test.ts",
  "lib/engine/jobs/year-of-figures.db.test.ts",
  "lib/engine/warm-up/sixty-days.db.test.ts",
  "lib/engine/sending/unruly-servers.db.test.ts",
  "lib/doors/http/public/connection-hooks.db.test.ts",
  "lib/doors/http/contract/model.db.test.ts",
  "lib/engine/sending/in-flight.db.test.ts",
  "lib/engine/jobs/worker.db.test.ts",
];

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isLong = ({ moduleId }: TestSpecification) =>
      longest.some((path) => moduleId === join(root, path));
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}

export default defineConfig({
  resolve: { alias: { "@": root } },
  test: {
    // Vitest leaves a core free, which on two means one file at a time; ours wait for Postgres, servers
    // and clocks about as long as they compute.
    maxWorkers: Math.max(3, availableParallelism() - 1),
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        extends: true,
        test: {
          ...shared,
          name: "unit",
          include: ["**/*.test.{ts,tsx}"],
          exclude: [...elsewhere, "**/*.db.test.ts"],
        },
      },
      {
        extends: true,
        test: {
          ...onDatabase,
          name: "database",
          include: ["**/*.db.test.ts"],
          exclude: [...elsewhere, ...alone],
        },
      },
      {
        extends: true,
        test: { ...onDatabase, name: "database, alone", include: alone, isolate: true },
      },
    ],
  },
});
