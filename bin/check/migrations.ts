import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { root } from "@/bin/start/root";
import { blockingStatements } from "./migration-locks";

interface Journal {
  entries: { idx: number; when: number; tag: string }[];
}

const migrations = join(root, "db", "migrations");
const faults: string[] = [];
/** Migrations up to this one stay as they are. */
const lastUnchecked = 30;

const journal = JSON.parse(
  readFileSync(join(migrations, "meta", "_journal.json"), "utf8"),
) as Journal;
// The migrator runs whatever is newer than the last one it ran: an older one never runs.
journal.entries.forEach((entry, index) => {
  const previous = journal.entries[index - 1];
  if (entry.idx !== index) faults.push(`${entry.tag} has the number ${entry.idx}, not ${index}.`);
  if (previous && entry.when <= previous.when) {
    faults.push(`${entry.tag} is not younger than ${previous.tag}: it would never run.`);
  }
});
const files = readdirSync(migrations).filter((name) => name.endsWith(".sql"));
const tags = new Set(journal.entries.map(({ tag }) => `${tag}.sql`));
for (const file of files) if (!tags.has(file)) faults.push(`${file} is not in the journal.`);
for (const tag of tags) if (!files.includes(tag)) faults.push(`${tag} is in the journal only.`);

// Earlier ones were written when no installation had much data.
for (const { idx, tag } of journal.entries) {
  if (idx <= lastUnchecked || !files.includes(`${tag}.sql`)) continue;
  const text = readFileSync(join(migrations, `${tag}.sql`), "utf8");
  for (const fault of blockingStatements(text)) faults.push(`${tag}, ${fault}`);
}

// What drizzle-kit would generate on top of a copy: nothing, when the schema is in step.
const copy = mkdtempSync(join(root, "node_modules", ".lettermill-migrations-"));
try {
  cpSync(migrations, copy, { recursive: true });
  const kit = join(createRequire(import.meta.url).resolve("drizzle-kit"), "..", "bin.cjs");
  const schema = join(root, "db", "schema", "index.ts");
  const generate = spawnSync(
    process.execPath,
    [
      kit,
      "generate",
      "--dialect=postgresql",
      `--schema=${schema}`,
      `--out=${copy.slice(root.length + 1)}`,
    ],
    { cwd: root, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] },
  );
  const more = readdirSync(copy).filter((name) => name.endsWith(".sql") && !files.includes(name));
  if (generate.status !== 0)
    faults.push(`drizzle-kit failed: ${generate.stdout}${generate.stderr}`);
  for (const name of more) {
    faults.push(
      `The schema has what no migration makes:\n${readFileSync(join(copy, name), "utf8")}`,
    );
  }
  if (generate.status === 0 && more.length === 0 && !/No schema changes/.test(generate.stdout)) {
    faults.push(`drizzle-kit did not say that there is nothing to do: ${generate.stdout}`);
  }
} finally {
  rmSync(copy, { recursive: true, force: true });
}

for (const fault of faults) console.error(fault);
console.log(`${journal.entries.length} migrations.`);
process.exitCode = faults.length === 0 ? 0 : 1;
