import { Readable } from "node:stream";
import { Busboy } from "@fastify/busboy";
import { AppError, invalid } from "@/lib/ground/errors";
import type { NodeBindings } from "./client-address";
import { brokenOffAsFault, formFault } from "./incomplete";

/** A file that is being uploaded: it can be read once, as it arrives. */
export interface Upload {
  file: AsyncIterable<Uint8Array>;
  /** Empty when the request does not name it. */
  filename: string;
}

/**
 * The uploaded file: the request body itself, or the first file of a multipart form. It is not buffered.
 * Throws VALIDATION_ERROR for any other content type or a form without a file.
 */
export async function readUpload(
  request: Request,
  bindings: NodeBindings | undefined,
  types: readonly string[],
): Promise<Upload> {
  const contentType = request.headers.get("content-type") ?? "";
  const type = contentType.split(";", 1)[0]?.trim().toLowerCase() ?? "";
  const body = (bindings?.incoming ?? request.body) as AsyncIterable<Uint8Array> | null;
  if (!body) throw new AppError("VALIDATION_ERROR", "The request body is empty.");
  if (types.includes(type)) return { file: brokenOffAsFault(body), filename: "" };
  if (type !== "multipart/form-data") {
    throw invalid("Content-Type", `must be ${types.join(", ")} or multipart/form-data`);
  }
  return firstFile(body, contentType);
}

function firstFile(body: AsyncIterable<Uint8Array>, contentType: string): Promise<Upload> {
  return new Promise<Upload>((resolve, reject) => {
    const fail = (error: unknown) => reject(formFault(error));
    try {
      const form = new Busboy({
        headers: { "content-type": contentType },
        limits: { files: 1, fields: 50, fieldSize: 100_000, parts: 60 },
      });
      const source = Readable.from(body, { objectMode: false });
      form.on("file", (_field, file, filename) => {
        // A form that breaks off inside the file must not look like the end of the file.
        source.once("error", (error) => file.destroy(error));
        form.once("error", (error) => file.destroy(error as Error));
        resolve({ file: brokenOffAsFault(file), filename: filename ?? "" });
      });
      form.on("error", fail);
      form.once("finish", () => fail(invalid("file", "is missing from the form")));
      source.on("error", fail);
      source.pipe(form);
    } catch (error) {
      fail(error);
    }
  });
}
