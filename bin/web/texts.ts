import type { IncomingMessage, ServerResponse } from "node:http";
import { AppError, notFound } from "@/lib/ground/errors";
import { catalogueOf } from "@/lib/ground/texts/catalogues";

/**
 * Answers for the dashboard's languages, each a script whose address changes with its content; false: the path is another.
 * Throws NOT_FOUND for what is none, and METHOD_NOT_ALLOWED.
 */
export function answerTexts(
  request: IncomingMessage,
  response: ServerResponse,
  path: string,
): boolean {
  if (!path.startsWith("/texts/")) return false;
  const catalogue = catalogueOf(path.slice("/texts/".length).split(".", 1)[0] ?? "");
  if (catalogue?.scriptPath !== path) throw notFound();
  if (request.method !== "GET" && request.method !== "HEAD") {
    response.setHeader("allow", "GET, HEAD");
    throw new AppError("METHOD_NOT_ALLOWED", "Texts take GET and HEAD only.");
  }
  response.writeHead(200, {
    "content-type": "text/javascript; charset=utf-8",
    "content-length": Buffer.byteLength(catalogue.script),
    "cache-control": "public, max-age=31536000, immutable",
    "x-content-type-options": "nosniff",
  });
  response.end(request.method === "HEAD" ? undefined : catalogue.script);
  return true;
}
