import { execFileSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { LaunchOptions } from "@playwright/test";

const folder = fileURLToPath(new URL("../node_modules/.cache/lettermill-browser", import.meta.url));

/** How to start the browser that comes with npm on Linux; elsewhere Playwright's own. */
export async function browserOptions(): Promise<LaunchOptions> {
  if (process.platform !== "linux" || process.arch !== "x64") return {};
  mkdirSync(folder, { recursive: true });
  const temporary = process.env["TMPDIR"];
  // It unpacks itself into the temporary folder and takes whatever is there for its own.
  process.env["TMPDIR"] = folder;
  try {
    const { default: chromium } = await import("@sparticuz/chromium");
    const executablePath = await chromium.executablePath();
    const libraries = execFileSync("ldd", [executablePath], { encoding: "utf8" });
    return {
      executablePath,
      args: ["--no-sandbox", "--no-zygote", "--disable-gpu", "--font-render-hinting=none"],
      chromiumSandbox: false,
      ...(libraries.includes("not found") ? { env: await bundledLibraries() } : {}),
    };
  } finally {
    if (temporary === undefined) delete process.env["TMPDIR"];
    else process.env["TMPDIR"] = temporary;
  }
}

/** The package brings NSS for machines that lack it. */
async function bundledLibraries(): Promise<Record<string, string>> {
  const { inflate } = (await import(
    new URL("../node_modules/@sparticuz/chromium/build/esm/lambdafs.js", import.meta.url).href
  )) as { inflate: (archive: string) => Promise<string> };
  const archive = new URL("../node_modules/@sparticuz/chromium/bin/al2023.tar.br", import.meta.url);
  const unpacked = await inflate(fileURLToPath(archive));
  const env = Object.fromEntries(
    Object.entries(process.env).filter(
      (entry): entry is [string, string] => entry[1] !== undefined,
    ),
  );
  return { ...env, LD_LIBRARY_PATH: join(unpacked, "lib") };
}
