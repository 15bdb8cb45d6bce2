"use client";

import { ApiError, viewerHeader } from "@/lib/doors/http/client";
import { t } from "@/lib/ground/texts/t";
import { useProject } from "./project-context";
import { sessionWatch } from "./session-watch";

interface ErrorBody {
  requestId?: string;
  error?: { code: string; message: string; details?: { path: string; message: string }[] };
}

interface UploadOptions {
  type: string;
  signal?: AbortSignal;
  onProgress?: (sent: number, total: number) => void;
}

/**
 * Sends a file as it is to an operation of the bearer surface, `/v1/...` with its query, acting as the
 * project's member. fetch does not report how much has been sent, XMLHttpRequest does: `onProgress` gets
 * bytes. Throws ApiError; an abort rejects with the signal's reason.
 */
export function useUpload() {
  const { id, viewer } = useProject();
  return <Answer>(path: string, file: File, options: UploadOptions): Promise<Answer> => {
    const url = `/api/dashboard/${id}${path}`;
    return sessionWatch.run(
      () => send<Answer>(url, viewer.id, file, options),
      "press",
      options.signal,
    );
  };
}

function send<Answer>(
  url: string,
  viewer: string,
  file: File,
  options: UploadOptions,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open("POST", url);
    request.setRequestHeader(viewerHeader, viewer);
    request.setRequestHeader("content-type", options.type);
    request.responseType = "json";
    request.upload.onprogress = ({ loaded, total }) => options.onProgress?.(loaded, total);
    request.onload = () => {
      const { status, response } = request as { status: number; response: unknown };
      if (status >= 200 && status < 300 && response) {
        resolve(response as Answer);
        return;
      }
      const { error, requestId } = (response ?? {}) as ErrorBody;
      reject(
        new ApiError(
          status,
          error?.code ?? "INTERNAL_ERROR",
          error?.message ?? t("The server answered {status}.", { status: String(status) }),
          error?.details ?? [],
          requestId,
        ),
      );
    };
    request.onerror = () => {
      const message = t("The upload broke off before the file was complete.");
      reject(new ApiError(0, "UNREACHABLE", message, [], undefined));
    };
    const { signal } = options;
    request.onabort = () => reject(signal?.reason as Error);
    signal?.addEventListener("abort", () => request.abort(), { once: true });
    request.send(file);
  });
}
