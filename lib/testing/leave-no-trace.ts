import { afterAll, vi } from "vitest";
import { reloadEnv } from "@/lib/ground/env/env";

/**
 * Test files share their process (starting one and loading everything takes longer than most of them run), so each
 * one gives back the settings, the clock and the functions that it replaced. Runs before each file.
 */
const settings = { ...process.env };

afterAll(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  for (const name of Object.keys(process.env)) {
    if (!(name in settings)) Reflect.deleteProperty(process.env, name);
  }
  Object.assign(process.env, settings);
  reloadEnv();
});
