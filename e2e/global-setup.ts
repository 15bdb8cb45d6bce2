import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { root } from "./product";

/** The journeys use the built product: a build of these very sources, made now if missing. */
export default function setup(): void {
  execFileSync(process.execPath, ["--import", "tsx", "bin/build.ts"], {
    cwd: root,
    stdio: ["ignore", "inherit", "inherit"],
  });
  if (!existsSync(`${root}/.next/BUILD_ID`)) throw new Error("The build left no BUILD_ID.");
}
