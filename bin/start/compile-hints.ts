import { readdir, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";

/**
 * Has Chrome compile all of a script as it arrives, beside the page's own work, and keep what it made of it for the next
 * visit: https://developer.chrome.com/blog/explicit-compile-hints. Without it nothing of our chunks is compiled or kept,
 * because Turbopack calls their modules only after all of them are there, one after the other in a single task.
 */
const hint = "//# allFunctionsCalledOnLoad\n";

/** Writes the hint at the top of every script below the folder. */
export async function hintScripts(folder: string): Promise<void> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const scripts = entries.filter((entry) => entry.isFile() && entry.name.endsWith(".js"));
  await Promise.all(
    scripts.map(async ({ parentPath, name }) => {
      const file = join(parentPath, name);
      const script = await readFile(file, "utf8");
      if (script.startsWith(hint)) return;
      // Renamed when it is whole: a program that serves the folder meanwhile would hand out a part, to be kept.
      await writeFile(`${file}.part`, hint + script);
      await rename(`${file}.part`, file);
    }),
  );
}
