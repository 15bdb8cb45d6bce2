import { existsSync } from "node:fs";
import { cpus, totalmem } from "node:os";
import { join } from "node:path";
import { root } from "@/bin/start/root";
import { formatTable, type BenchRow } from "./row";

/** Every benchmark: a module that exports `run`. `npm run bench -- accept` runs some of them. */
const benches = [
  "accept",
  "audience",
  "backup",
  "burst",
  "campaign",
  "claim",
  "dispatch",
  "import",
  "inbound",
  "log",
  "memory",
  "pages",
  "queue",
  "relay",
  "segments",
  "sizes",
  "tools",
  "tracking",
  "webhooks",
  "young-project",
];

const wanted = process.argv.slice(2);
const rows: BenchRow[] = [];
for (const name of benches.filter((one) => wanted.length === 0 || wanted.includes(one))) {
  if (!existsSync(join(root, "bench", `${name}.ts`))) throw new Error(`There is no bench ${name}.`);
  console.error(`bench ${name} ...`);
  const bench = (await import(`./${name}.ts`)) as { run: () => Promise<BenchRow[]> };
  rows.push(...(await bench.run()));
}
console.log(
  `${cpus().length} cores, ${Math.round(totalmem() / 2 ** 30)} GB, Node ${process.version}`,
);
console.log(formatTable(rows));
process.exit(0);
