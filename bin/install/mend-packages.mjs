// Runs after every install, on whichever Node does the installing. See docs/decisions.
import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

/*
 * What postgres 3.4.9 forgets when it loses a connection. A statement that waits to be written: it keeps its bytes,
 * believes that its timer still runs, and never writes again. A statement begun after the socket has failed and
 * before it is closed: nobody is told, and on the next connection it takes the place of another, which then gets
 * the answer of the one before it, or none. A connection that has just come about and asks for the names of types:
 * nobody takes the refusal of that, which ends the process. Whoever waits for the connection is told in any case.
 */
const driver = [
  {
    times: 2,
    fault: "    clearImmediate(nextWriteTimer)\n",
    mended: "    clearImmediate(nextWriteTimer)\n    chunk = nextWriteTimer = null\n",
  },
  {
    times: 1,
    fault: `    if (initial)
      return reconnect()

    !hadError && (query || sent.length) && error(Errors.connection('CONNECTION_CLOSED', options, socket))
`,
    mended: `    !initial && (query || sent.length) && error(Errors.connection('CONNECTION_CLOSED', options, socket))
    query = results = errorResponse = null
    result = new Result()
    rows = 0
    if (initial)
      return reconnect()

`,
  },
  {
    times: 1,
    fault: "        return fetchArrayTypes()\n",
    mended: "        return fetchArrayTypes().catch(noop)\n",
  },
];

/*
 * postal-mime 4.0.0 joins the lines of every part of a mail by way of a Blob, which Node reads on another thread:
 * half of what reading a short mail takes.
 */
const parts = [
  {
    times: 1,
    fault:
      "return blobToArrayBuffer(new Blob(this.chunks, { type: 'application/octet-stream' }));\n",
    mended: `const bytes = Buffer.concat(this.chunks.map((chunk) => (chunk instanceof Uint8Array ? chunk : Buffer.from(chunk))));
        const { buffer, byteOffset, length } = bytes;
        return length === buffer.byteLength ? buffer : buffer.slice(byteOffset, byteOffset + length);
`,
  },
];

const { resolve } = createRequire(import.meta.url);

/** Not in place: other checkouts may have the same file (hard links, package stores). */
function replace(path, text) {
  writeFileSync(`${path}.new`, text);
  renameSync(`${path}.new`, path);
}

function stop(path) {
  console.error(`${path} is not the file that is mended here: see bin/install/mend-packages.mjs.`);
  process.exit(1);
}

/** Makes the changes to files of an installed package, or stops the installation. */
function mend(files, mends) {
  for (const path of files) {
    let source = readFileSync(path, "utf8");
    for (const { times, fault, mended } of mends) {
      if (source.includes(mended)) continue;
      const pieces = source.split(fault);
      if (pieces.length !== times + 1) stop(path);
      source = pieces.join(mended);
    }
    replace(path, source);
  }
}

const driverRoot = join(dirname(resolve("postgres")), "..", "..");
mend(
  ["src/connection.js", "cjs/src/connection.js"].map((file) => join(driverRoot, file)),
  driver,
);
const readerRoot = join(dirname(resolve("postal-mime")), "..", "esm");
mend(
  ["pass-through-decoder.js", "qp-decoder.js", "base64-decoder.js"].map((file) =>
    join(readerRoot, file),
  ),
  parts,
);

/*
 * drizzle-orm 0.45 lists each of its 447 modules in its package.json, 179 kB, and Node 24 parses that list again at every
 * import of it: half of what starting a program takes. One pattern stands for the modules that are where they are named.
 */
const listPath = join(dirname(resolve("drizzle-orm")), "package.json");
const list = JSON.parse(readFileSync(listPath, "utf8"));
const moduleAt = (path) => ({
  import: { types: `${path}.d.ts`, default: `${path}.js` },
  require: { types: `${path}.d.cts`, default: `${path}.cjs` },
  types: `${path}.d.ts`,
  default: `${path}.js`,
});
if (!("./*" in list.exports)) {
  const named = Object.entries(list.exports);
  const others = named.filter(
    ([name, target]) => JSON.stringify(target) !== JSON.stringify(moduleAt(name)),
  );
  // Another release: its list may be a short one, or mean something else.
  if (named.length !== 447 || others.length !== 63) stop(listPath);
  list.exports = { ...Object.fromEntries(others), "./*": moduleAt("./*") };
  replace(listPath, JSON.stringify(list));
}
