import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import { fromBuffer, type Entry, type ZipFile } from "yauzl";
import { UnreadableReport } from "./fault";

const megabyte = 1024 * 1024;
/** Of one report, unpacked: one day of a large sender's mail at a large provider is about 2 MB. */
const largestBytes = 10 * megabyte;
/** XML of similar records shrinks to a fiftieth; small files may have any ratio. */
const highestRatio = 200;
const alwaysAllowedBytes = megabyte;
const mostEntries = 10;

const unzipped = promisify(gunzip);

function tooLarge(): UnreadableReport {
  return new UnreadableReport("too_large", "The report is larger than 10 MB when unpacked.");
}

/** How many bytes this many packed ones may become. */
const limitOf = (packedBytes: number) =>
  Math.min(largestBytes, Math.max(alwaysAllowedBytes, packedBytes * highestRatio));

async function gunzipped(packed: Buffer): Promise<Buffer> {
  try {
    return await unzipped(packed, { maxOutputLength: limitOf(packed.length) });
  } catch (error) {
    const { code } = error as { code?: unknown };
    if (code === "ERR_BUFFER_TOO_LARGE") throw tooLarge();
    throw new UnreadableReport("malformed", "The report's gzip file is broken.");
  }
}

const isReportName = (name: string) => /\.(xml|json)$/i.test(name);

async function contentOf(zip: ZipFile, entry: Entry): Promise<Buffer> {
  const limit = limitOf(entry.compressedSize);
  if (entry.uncompressedSize > limit) throw tooLarge();
  // The stream ends with an error where there is more than the entry says.
  const stream = await promisify(zip.openReadStream.bind(zip) as OpenStream)(entry);
  const chunks: Buffer[] = [];
  for await (const chunk of stream as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks);
}
type OpenStream = (
  entry: Entry,
  done: (error: Error | null, stream: NodeJS.ReadableStream) => void,
) => void;

async function fromZip(packed: Buffer): Promise<Buffer> {
  try {
    const zip = await openZip(packed);
    if (zip.entryCount > mostEntries) throw tooLarge();
    const entry = await firstReport(zip);
    if (!entry) throw new UnreadableReport("no_report", "The zip file has no report in it.");
    return await contentOf(zip, entry);
  } catch (error) {
    if (error instanceof UnreadableReport) throw error;
    throw new UnreadableReport("malformed", "The report's zip file is broken.");
  }
}

const openZip = (packed: Buffer) =>
  new Promise<ZipFile>((resolve, reject) => {
    fromBuffer(packed, { lazyEntries: true, autoClose: false }, (error, zip) =>
      error ? reject(error) : resolve(zip),
    );
  });

const firstReport = (zip: ZipFile) =>
  new Promise<Entry | null>((resolve, reject) => {
    zip.on("error", reject);
    zip.on("end", () => resolve(null));
    zip.on("entry", (entry: Entry) => {
      if (isReportName(entry.fileName)) resolve(entry);
      else zip.readEntry();
    });
    zip.readEntry();
  });

/** What a file in a report's mail contains, by its first bytes: senders name types as they like. */
export function packingOf(content: Buffer): "gzip" | "zip" | "plain" | null {
  if (content[0] === 0x1f && content[1] === 0x8b) return "gzip";
  if (content.subarray(0, 4).equals(Buffer.from("PK\u0003\u0004", "latin1"))) return "zip";
  const beginning = content.subarray(0, 100).toString("utf8").trimStart();
  return beginning.startsWith("<") || beginning.startsWith("{") ? "plain" : null;
}

/** The text of a report, however it is packed. Throws UnreadableReport, for bombs too. */
export async function unpackReport(content: Buffer): Promise<string> {
  const packing = packingOf(content);
  if (packing === "plain" && content.length > largestBytes) throw tooLarge();
  const bytes =
    packing === "gzip"
      ? await gunzipped(content)
      : packing === "zip"
        ? await fromZip(content)
        : content;
  return bytes
    .toString("utf8")
    .replace(/^\uFEFF/, "")
    .trim();
}
