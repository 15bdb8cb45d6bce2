import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createConfig, lintFromString } from "@redocly/openapi-core";
import { format } from "prettier";
import { root } from "@/bin/start/root";
import { breakingChanges, type Document } from "./breaking-changes";

// The document names the address it is served from: here always the default one.
process.env.APP_URL = "http://localhost:3000";
const { openApiDocument } = await import("@/lib/api/bearer/openapi");

const committed = join(root, "docs", "openapi.json");
const faults: string[] = [];

const generated = await format(JSON.stringify(openApiDocument()), {
  parser: "json",
  printWidth: 100,
});
const config = await createConfig({
  extends: ["recommended-strict"],
  // The address is replaced by that of the installation which serves the document.
  rules: { "no-server-example.com": "off" },
});
for (const problem of await lintFromString({ source: generated, config })) {
  faults.push(`Lint ${problem.ruleId}: ${problem.message} ${problem.location[0]?.pointer ?? ""}`);
}

const before = existsSync(committed) ? readFileSync(committed, "utf8") : "";
if (before !== generated) {
  const breaking = before
    ? breakingChanges(JSON.parse(before) as Document, JSON.parse(generated) as Document)
    : [];
  const write = process.argv.includes("--write");
  const refused = breaking.length > 0 && !process.argv.includes("--breaking");
  if (!write || refused) faults.push(...breaking.map((change) => `Breaks clients: ${change}`));
  if (!write) {
    faults.push("docs/openapi.json is not what the operations say: npm run openapi -- --write");
  } else if (refused) {
    faults.push(
      "Nothing was written. Where clients may break: npm run openapi -- --write --breaking",
    );
  } else {
    writeFileSync(committed, generated);
  }
}

for (const fault of faults.slice(0, 50)) console.error(fault);
const operations = Object.values(openApiDocument().paths ?? {}).flatMap((path) =>
  Object.keys(path),
);
console.log(`${operations.length} operations.`);
process.exit(faults.length === 0 ? 0 : 1);
