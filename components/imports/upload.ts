import { ApiError } from "@/lib/doors/http/client";

interface ErrorBody {
  id?: string;
  requestId?: string;
  error?: { code: string; message: string; details?: { path: string; message: string }[] };
}

/**
 * Sends a CSV and gives the import's id. `onProgress` gets the bytes sent so far: fetch does not tell,
 * XMLHttpRequest does. Throws ApiError; an abort rejects with the signal's reason.
 */
export function uploadImport(
  project: string,
  file: File,
  columns: string,
  options: { signal: AbortSignal; onProgress: (bytes: number) => void },
): Promise<string> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    const query = new URLSearchParams({ columns, filename: file.name });
    request.open("POST", `/api/dashboard/${project}/v1/contacts/import?${query.toString()}`);
    request.setRequestHeader("content-type", "text/csv");
    request.responseType = "json";
    request.upload.onprogress = ({ loaded }) => options.onProgress(loaded);
    request.onload = () => {
      const body = (request.response ?? {}) as ErrorBody;
      if (request.status === 202 && body.id) {
        resolve(body.id);
        return;
      }
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
    request.onabort = () => reject(options.signal.reason as Error);
    options.signal.addEventListener("abort", () => request.abort(), { once: true });
    request.send(file);
  });
}
