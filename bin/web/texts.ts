import type { IncomingMessage, ServerResponse } from "node:http";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import { parseAccept } from "hono/utils/accept";
import { AppError, notFound } from "@/lib/ground/errors";
import { catalogueOf } from "@/lib/ground/texts/catalogues";

const brotli = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } };
/** The smallest first. */
const encodings = {
  br: (script: string) => promisify(brotliCompress)(script, brotli),
  gzip: (script: string) => promisify(gzip)(script),
  identity: (script: string) => Promise.resolve(Buffer.from(script)),
};
type Encoding = keyof typeof encodings;

/** Scripts as they are sent, each made once: by path and encoding. */
const copies = new Map<string, Promise<Buffer>>();

function copyOf(path: string, script: string, encoding: Encoding): Promise<Buffer> {
  const key = `${path} ${encoding}`;
  const copy = copies.get(key) ?? encodings[encoding](script);
  copies.set(key, copy);
  copy.catch(() => copies.delete(key));
  return copy;
}

function encodingFor({ headers }: IncomingMessage): Encoding {
  const taken = parseAccept([headers["accept-encoding"] ?? []].flat().join(","));
  const takes = (name: string) => taken.some(({ type, q }) => type === name && q > 0);
  return (Object.keys(encodings) as Encoding[]).find(takes) ?? "identity";
}

/**
 * Answers for the dashboard's languages, each a script whose address changes with its content; false: the path is another.
 * Throws NOT_FOUND for what is none, and METHOD_NOT_ALLOWED.
 */
export async function answerTexts(
  request: IncomingMessage,
  response: ServerResponse,
  path: string,
): Promise<boolean> {
  if (!path.startsWith("/texts/")) return false;
  const catalogue = catalogueOf(path.slice("/texts/".length).split(".", 1)[0] ?? "");
  if (catalogue?.scriptPath !== path) throw notFound();
  if (request.method !== "GET" && request.method !== "HEAD") {
    response.setHeader("allow", "GET, HEAD");
    throw new AppError("METHOD_NOT_ALLOWED", "Texts take GET and HEAD only.");
  }
  const encoding = encodingFor(request);
  const content = await copyOf(path, catalogue.script, encoding);
  response.writeHead(200, {
    "content-type": "text/javascript; charset=utf-8",
    "content-length": content.length,
    ...(encoding === "identity" ? {} : { "content-encoding": encoding }),
    vary: "accept-encoding",
    "cache-control": "public, max-age=31536000, immutable",
    "x-content-type-options": "nosniff",
  });
  response.end(request.method === "HEAD" ? undefined : content);
  return true;
}
