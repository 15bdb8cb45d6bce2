import { ApiError } from "@/lib/doors/http/client";
import type { StoredFile } from "@/lib/domain/files/schema";

interface ErrorBody {
  requestId?: string;
  error?: { code: string; message: string; details?: { path: string; message: string }[] };
}

/** Sends a file as it is; `onProgress` gets the share sent so far, 0 to 1. Throws ApiError. */
export function uploadFile(
  project: string,
  file: File,
  subdirectory: string,
  onProgress: (share: number) => void,
): Promise<StoredFile> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    const query = new URLSearchParams({ filename: file.name });
    if (subdirectory) query.set("subdirectory", subdirectory);
    request.open("POST", `/api/dashboard/${project}/v1/files?${query.toString()}`);
    request.setRequestHeader("content-type", "application/octet-stream");
    request.responseType = "json";
    request.upload.onprogress = ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 0);
    request.onload = () => {
      if (request.status === 201) {
        resolve(request.response as StoredFile);
        return;
      }
      const body = (request.response ?? {}) as ErrorBody;
      reject(
        new ApiError(
          request.status,
          body.error?.code ?? "INTERNAL_ERROR",
          body.error?.message ?? `The server answered ${request.status}.`,
          body.error?.details ?? [],
          body.requestId,
        ),
      );
    };
    request.onerror = () =>
      reject(
        new ApiError(
          0,
          "UNREACHABLE",
          "The upload broke off before the file was complete.",
          [],
          undefined,
        ),
      );
    request.send(file);
  });
}
