import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { useTestDatabase } from "@/db/testing";
import { reloadEnv } from "@/lib/ground/env/env";
import { metrics } from "@/lib/ground/metrics/metrics";
import { root } from "@/bin/start/root";
import { startWatch } from "./server";

useTestDatabase();

/** Of histograms and counters of the library itself, which have suffixes. */
const suffixes = /_(?:bucket|sum|count)$/;
const named = (text: string) => [
  ...new Set(
    [...text.matchAll(/\b(?:lettermill|nodejs|process)_[a-z0-9_]+/g)].map(([name]) => name),
  ),
];

test("dashboard, alerts and docs name metrics that there are, and the docs all of ours", async () => {
  process.env["METRICS_PORT"] = "0";
  reloadEnv();
  const watch = await startWatch("worker");
  delete process.env["METRICS_PORT"];
  await watch?.stop();
  const registered = new Set(metrics.registry.getMetricsAsArray().map(({ name }) => name));
  const texts = ["deploy/grafana/lettermill.json", "deploy/prometheus/alerts.yaml"].map((file) =>
    readFileSync(join(root, file), "utf8"),
  );
  for (const name of texts.flatMap(named)) expect(registered).toContain(name.replace(suffixes, ""));
  const operation = readFileSync(join(root, "docs/operation.md"), "utf8");
  const ours = [...registered].filter((name) => name.startsWith("lettermill_"));
  expect(ours.filter((name) => name !== "lettermill_info" && !operation.includes(name))).toEqual(
    [],
  );
});
