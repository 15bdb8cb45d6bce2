import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createConfig, lintFromString, type Config } from "@redocly/openapi-core";
import { format } from "oxfmt";
import { root } from "@/bin/start/root";
import { breakingChanges, type Document } from "./breaking-changes";

// The documents name the address they are served from: here always the default one.
process.env.APP_URL = "http://localhost:3000";
const { openApiDocument } = await import("@/lib/doors/http/v1/openapi");
const { platformDocument } = await import("@/lib/doors/http/platform/openapi");

const documents = {
  "openapi.json": openApiDocument(),
  "platform-openapi.json": platformDocument(),
};
const write = process.argv.includes("--write");
const breakingAllowed = process.argv.includes("--breaking");

/** What is wrong with a document, or with the committed one, which --write brings up to date. */
async function faultsOf(name: string, document: object, config: Config): Promise<string[]> {
  const committed = join(root, "docs", name);
  const { code: generated } = await format(name, JSON.stringify(document), { printWidth: 100 });
  const problems = await lintFromString({ source: generated, config });
  const faults = problems.map(
    ({ ruleId, message, location }) =>
      `${name}, lint ${ruleId}: ${message} ${location[0]?.pointer ?? ""}`,
  );
  const before = existsSync(committed) ? readFileSync(committed, "utf8") : "";
  if (before === generated) return faults;
  const breaking = before
    ? breakingChanges(JSON.parse(before) as Document, JSON.parse(generated) as Document)
    : [];
  const refused = breaking.length > 0 && !breakingAllowed;
  if (!write || refused) faults.push(...breaking.map((change) => `Breaks clients: ${change}`));
  if (!write) {
    faults.push(`docs/${name} is not what the operations say: npm run openapi -- --write`);
  } else if (refused) {
    faults.push(
      `${name} was not written. Where clients may break: npm run openapi -- --write --breaking`,
    );
  } else {
    writeFileSync(committed, generated);
  }
  return faults;
}

const config = await createConfig({
  extends: ["recommended-strict"],
  rules: {
    // The address is replaced by that of the installation that serves the document.
    "no-server-example.com": "off",
    // The platform's contract has /subscribers/email/{email} beside /subscribers/{uid}/add-tag.
    "no-ambiguous-paths": "off",
  },
});
let faults = 0;
let operations = 0;
for (const [name, document] of Object.entries(documents)) {
  for (const fault of (await faultsOf(name, document, config)).slice(0, 50)) {
    console.error(fault);
    faults++;
  }
  operations += Object.values(document.paths ?? {}).flatMap((path) => Object.keys(path)).length;
}
console.log(`${operations} operations.`);
process.exit(faults === 0 ? 0 : 1);
