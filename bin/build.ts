import { rmSync } from "node:fs";
import { join } from "node:path";
import { build } from "./start/build";
import { report } from "./start/fault";
import { root } from "./start/root";

try {
  // Asked for by name, it builds whether or not the sources changed.
  rmSync(join(root, ".next", "lettermill-build.json"), { force: true });
  await build(root);
} catch (error) {
  report(error);
  process.exitCode = 1;
}
