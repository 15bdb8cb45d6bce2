import type { AttachedFile } from "@/lib/mail/message/message-view";
import { contentDisposition } from "./disposition";

/**
 * Headers for files from strangers: whatever type they claim, a browser saves instead of showing
 * them, and guesses no type.
 */
export function downloadHeaders({ filename, content }: AttachedFile): Record<string, string> {
  return {
    "content-type": "application/octet-stream",
    "content-length": String(content.length),
    "content-disposition": contentDisposition("attachment", filename),
    "content-security-policy": "default-src 'none'; sandbox",
    "x-content-type-options": "nosniff",
  };
}

export function bytesOf({ content }: AttachedFile): ReadableStream<Uint8Array> {
  return new Blob([new Uint8Array(content)]).stream();
}
