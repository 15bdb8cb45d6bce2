import { readFileSync } from "node:fs";
import postgres from "postgres";
const info = JSON.parse(readFileSync("/tmp/pace-perf/info.json", "utf8"));
const s = postgres(info.url);
const q = (process.argv[2] ?? "")
  .replaceAll("$A", `'${info.a}'::uuid`)
  .replaceAll("$B", `'${info.b}'::uuid`)
  .replaceAll("$C5", `'${info.camps[5]}'::uuid`)
  .replaceAll("$C4", `'${info.camps[4]}'::uuid`);
for (const st of q.split(";;")) {
  const t = performance.now();
  const rows = await s.unsafe(st);
  console.log(Math.round(performance.now() - t), "ms");
  for (const r of rows.slice(0, 60)) console.log(r["QUERY PLAN"] ?? JSON.stringify(r));
}
await s.end();
