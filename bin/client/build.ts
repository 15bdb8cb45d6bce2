import { execFile } from "node:child_process";
import { readFile, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { promisify } from "node:util";
import openapiTypes, { astToString, type OpenAPI3 } from "openapi-typescript";
import { root } from "@/bin/start/root";

const run = promisify(execFile);

/** The package of the typed client; `src/schema.ts` and `dist/` in it are generated, not kept. */
export const clientFolder = join(root, "clients/typescript");
const compiler = createRequire(import.meta.url).resolve("typescript/bin/tsc");

/** Makes the client's types from docs/openapi.json and compiles the package. Throws the compiler's errors. */
export async function buildClient(): Promise<void> {
  const document = JSON.parse(await readFile(join(root, "docs/openapi.json"), "utf8")) as OpenAPI3;
  const types = astToString(await openapiTypes(document));
  await writeFile(join(clientFolder, "src/schema.ts"), types);
  await rm(join(clientFolder, "dist"), { recursive: true, force: true });
  await compile(["-p", clientFolder]);
}

/** Throws the compiler's errors. */
export async function compile(options: readonly string[]): Promise<void> {
  try {
    await run(process.execPath, [compiler, "--pretty", "false", ...options], { cwd: clientFolder });
  } catch (error) {
    throw new Error((error as { stdout?: string }).stdout ?? String(error), { cause: error });
  }
}
