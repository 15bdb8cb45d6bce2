import { readdir, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";

const compressible = /\.(?:js|css|svg|json|txt|map)$/;
/** Below this many bytes a copy saves nothing. */
const least = 1024;

const compressed = {
  br: (content: Buffer) =>
    promisify(brotliCompress)(content, {
      params: { [constants.BROTLI_PARAM_SIZE_HINT]: content.length },
    }),
  gz: (content: Buffer) => promisify(gzip)(content, { level: constants.Z_BEST_COMPRESSION }),
};

/**
 * Writes `x.js.br` and `x.js.gz` beside each `x.js` of the folder, and of what else compresses: once, as small as it
 * gets, instead of at each request.
 */
export async function compressFiles(folder: string): Promise<void> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile() && compressible.test(entry.name));
  await Promise.all(
    files.map(async ({ parentPath, name }) => {
      const file = join(parentPath, name);
      const content = await readFile(file);
      if (content.length < least) return;
      for (const [ending, compress] of Object.entries(compressed)) {
        const copy = await compress(content);
        // Renamed when it is whole: a program that serves the folder meanwhile would hand out a part, to be kept.
        await writeFile(`${file}.${ending}.part`, copy);
        await rename(`${file}.${ending}.part`, `${file}.${ending}`);
      }
    }),
  );
}
