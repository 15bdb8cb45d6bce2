import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

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

const shared = { environment: "node" as const, env, pool: "forks" as const, testTimeout: 20_000 };

export default defineConfig({
  resolve: { alias: { "@": root } },
  test: {
    // Vitest leaves a core free, which on two means one file at a time; ours wait for Postgres, servers
    // and clocks more than they compute.
    maxWorkers: Math.max(2, availableParallelism() - 1),
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
          ...shared,
          name: "database",
          include: ["**/*.db.test.ts"],
          exclude: elsewhere,
          globalSetup: ["db/testing/global-setup.ts"],
          hookTimeout: 60_000,
        },
      },
    ],
  },
});
