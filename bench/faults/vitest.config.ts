import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

const root = fileURLToPath(new URL("../..", import.meta.url)).replace(/\/$/, "");

/** The fault suite: programs as processes, one scenario at a time. `npm test` does not run it. */
export default defineConfig({
  root,
  resolve: { alias: { "@": root } },
  test: {
    environment: "node",
    include: ["bench/faults/*.fault.ts"],
    pool: "forks",
    fileParallelism: false,
    // Each runs a campaign from its beginning to its end.
    testTimeout: 1_200_000,
    reporters: ["verbose"],
    disableConsoleIntercept: true,
  },
});
