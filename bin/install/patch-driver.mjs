// Runs after every install, on whichever Node does the installing. See docs/decisions.
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

/*
 * postgres 3.4.9 forgets to forget: a connection that is lost while a statement waits to be written keeps
 * the statement's bytes and believes that its timer still runs, so it never writes again.
 */
const fault = "    clearImmediate(nextWriteTimer)\n";
const mended = "    clearImmediate(nextWriteTimer)\n    chunk = nextWriteTimer = null\n";

const root = join(dirname(createRequire(import.meta.url).resolve("postgres")), "..", "..");
for (const file of ["src/connection.js", "cjs/src/connection.js"]) {
  const path = join(root, file);
  const source = readFileSync(path, "utf8");
  if (source.includes(mended)) continue;
  const parts = source.split(fault);
  if (parts.length !== 3) {
    console.error(
      `${path} is not the driver that is mended here: see bin/install/patch-driver.mjs.`,
    );
    process.exit(1);
  }
  writeFileSync(path, parts.join(mended));
}
