import { defineConfig } from "@playwright/test";
import { browserOptions } from "./browser";

export default defineConfig({
  testDir: ".",
  testMatch: "*.spec.ts",
  outputDir: "../test-results/playwright",
  globalSetup: "./global-setup.ts",
  reporter: [["list"], ["json"]],
  // Each worker runs a product of its own, Postgres included.
  workers: 2,
  timeout: 60_000,
  expect: { timeout: 10_000 },
  forbidOnly: Boolean(process.env["CI"]),
  use: {
    actionTimeout: 10_000,
    launchOptions: await browserOptions(),
    screenshot: "only-on-failure",
    // Recording what every step looked like takes as much of a core as the browser: add --trace on to see it.
    trace: { mode: "retain-on-failure", screenshots: false, snapshots: false },
    viewport: { width: 1280, height: 800 },
    locale: "en-GB",
  },
});
