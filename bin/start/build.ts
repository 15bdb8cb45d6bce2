import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { hintScripts } from "./compile-hints";
import { compressFiles } from "./compress";
import { readPrivate, writePrivate } from "./data-dir";
import { Fault } from "./fault";
import { acquireLock } from "./lock";

/** What the build is made of. Tests and programs that run from source are not part of it. */
const sources = ["app", "components", "db", "emails", "lib"];
const rootFiles =
  /^(package(-lock)?|tsconfig)\.json$|^((next|postcss)\.config|instrumentation-client)\.[cm]?[jt]s$/;
const testFile = /\.test\.[jt]sx?$/;

const stampFile = (root: string) => join(root, ".next", "lettermill-build.json");

function filesBelow(root: string): string[] {
  const top = readdirSync(root).filter((name) => rootFiles.test(name));
  const nested = sources.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && !testFile.test(entry.name))
      .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1)),
  );
  return [...top, ...nested].sort();
}

/** A digest of everything the build is made of, the versions of its dependencies included. */
export function sourceDigest(root: string): string {
  const digest = createHash("sha256");
  for (const file of filesBelow(root)) {
    const content = readFileSync(join(root, file));
    digest.update(`${file}\0${content.length}\0`).update(content);
  }
  return digest.digest("hex");
}

/** Whether `.next` holds the build of these very sources. */
export function isBuilt(root: string): boolean {
  const stamp = readPrivate(stampFile(root)) as { digest?: unknown } | null;
  return stamp?.digest === sourceDigest(root);
}

/**
 * Runs `next build`, its output on stderr, and records what it was built from. Two builds of the same
 * checkout wait for each other. Throws a Fault when the build fails.
 */
export async function build(root: string, options: { signal?: AbortSignal } = {}): Promise<void> {
  const release = await acquireLock(join(root, "node_modules", ".lettermill-build"), "command", {
    waitSeconds: () => 15 * 60,
    refusal: (holder) => `Another build (process ${holder.pid}) does not finish.`,
  });
  try {
    if (isBuilt(root)) return;
    const digest = sourceDigest(root);
    const next = createRequire(import.meta.url).resolve("next/dist/bin/next");
    const child = spawn(process.execPath, [next, "build"], {
      cwd: root,
      // Standard output is the caller's.
      stdio: ["ignore", 2, 2],
      env: { ...process.env, NODE_ENV: "production", NEXT_TELEMETRY_DISABLED: "1" },
      signal: options.signal,
      killSignal: "SIGTERM",
    });
    const code = await new Promise<number | null>((resolve, reject) => {
      child.once("error", reject);
      child.once("exit", resolve);
    });
    options.signal?.throwIfAborted();
    if (code !== 0) throw new Fault("The build failed: the lines above say where.");
    const files = join(root, ".next", "static");
    await hintScripts(files);
    await compressFiles(files);
    writePrivate(stampFile(root), { digest });
  } finally {
    release();
  }
}
