import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "@/bin/start/root";

/** The running release, as package.json names it. */
export function releaseOf(): string {
  const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
    version: string;
  };
  return version;
}
