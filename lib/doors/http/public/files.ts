import { database, type Database } from "@/db/client";
import { findPublicFile, type PublicFile } from "@/lib/domain/files/files";
import { encodeId } from "@/lib/ground/ids/ids";
import { toAppError } from "@/lib/ground/unforeseen-errors";
import { adviceHeaders, httpStatuses } from "@/lib/doors/http/surface/errors";
import type { NodeBindings } from "@/lib/doors/http/surface/client-address";
import { requestIdOf } from "@/lib/doors/http/surface/request-record";

const filePath = /^\/files\/([^/]+)\/(.+)$/;

// Mail is opened for years, yet a file that was replaced must show up some day: revalidate after an hour.
const cacheControl = "public, max-age=3600, stale-while-revalidate=604800";

/** Whatever a file holds, it is not one of our pages: it may run and load nothing, and its type is not guessed. */
const safety = {
  "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; sandbox",
  "x-content-type-options": "nosniff",
  "cross-origin-resource-policy": "cross-origin",
  "referrer-policy": "no-referrer",
};

function plain(status: number, text: string, headers: Record<string, string> = {}): Response {
  return new Response(`${text}\n`, {
    status,
    headers: {
      "content-type": "text/plain; charset=utf-8",
      "cache-control": "no-store",
      ...safety,
      ...headers,
    },
  });
}

function headersOf(file: PublicFile): Record<string, string> {
  const charset = file.contentType.startsWith("text/") ? "; charset=utf-8" : "";
  const name = encodeURIComponent(file.name).replace(/['()*]/g, escapeByte);
  return {
    ...safety,
    "content-type": `${file.contentType}${charset}`,
    "content-disposition": `${file.inline ? "inline" : "attachment"}; filename*=UTF-8''${name}`,
    "cache-control": cacheControl,
    etag: `"${file.sha256.toString("hex")}"`,
  };
}

/** RFC 8187 does not allow these characters in a parameter's value. */
const escapeByte = (char: string) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`;

function placeOf(url: string): { project: string; path: string } | null {
  const [, project, rest] = filePath.exec(new URL(url).pathname) ?? [];
  if (!project || !rest) return null;
  try {
    return { project, path: decodeURIComponent(rest) };
  } catch {
    return null;
  }
}

/** `GET|HEAD /files/{project}/{path}`: uploaded files, open to everyone. */
export function createFilesApp(db: () => Database = database) {
  async function answer(request: Request, hostProjectId?: string): Promise<Response> {
    if (request.method !== "GET" && request.method !== "HEAD") {
      return plain(405, "Only GET and HEAD are allowed here.", { allow: "GET, HEAD" });
    }
    const place = placeOf(request.url);
    const isElsewhere = hostProjectId && place?.project !== encodeId("project", hostProjectId);
    if (isElsewhere) return plain(404, "There is no such file.");
    const file = place ? await findPublicFile(db(), place.project, place.path) : null;
    if (!file) return plain(404, "There is no such file.");
    const headers = headersOf(file);
    const cachedTags = request.headers.get("if-none-match")?.split(",") ?? [];
    if (cachedTags.some((tag) => tag.trim().replace(/^W\//, "") === headers["etag"])) {
      return new Response(null, { status: 304, headers });
    }
    headers["content-length"] = String(file.size);
    if (request.method === "HEAD") return new Response(null, { headers });
    const body = await file.open();
    return body ? new Response(body, { headers }) : plain(404, "There is no such file.");
  }

  return {
    async fetch(request: Request, bindings?: NodeBindings): Promise<Response> {
      try {
        return await answer(request, bindings?.hostProjectId);
      } catch (error) {
        const requestId = requestIdOf(request, bindings);
        const appError = toAppError(error, requestId);
        return plain(httpStatuses[appError.code], appError.message, adviceHeaders(appError));
      }
    },
  };
}
