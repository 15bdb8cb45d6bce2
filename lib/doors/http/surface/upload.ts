import { Readable } from "node:stream";
import { Busboy } from "@fastify/busboy";
import { AppError, invalid } from "@/lib/ground/errors";
import type { NodeBindings } from "./client-address";

/** A file on its way in: read it once, as it comes. */
export interface Upload {
  file: AsyncIterable<Uint8Array>;
  /** Empty when the request does not name it. */
  filename: string;
}

/**
 * The request's file: the body itself, or the first file of a multipart form. Nothing is kept in memory.
 * Throws VALIDATION_ERROR for another content type or a form without a file.
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
  if (types.includes(type)) return { file: body, filename: "" };
  if (type !== "multipart/form-data") {
    throw invalid("Content-Type", `is ${types.join(", ")} or multipart/form-data`);
  }
  return firstFile(body, contentType);
}

function firstFile(body: AsyncIterable<Uint8Array>, contentType: string): Promise<Upload> {
  return new Promise<Upload>((resolve, reject) => {
    const fail = (error: unknown) => {
      reject(
        error instanceof AppError
          ? error
          : new AppError("VALIDATION_ERROR", "The request body is no valid multipart form."),
      );
    };
    try {
      const form = new Busboy({
        headers: { "content-type": contentType },
        limits: { files: 1, fields: 50, fieldSize: 100_000, parts: 60 },
      });
      const source = Readable.from(body, { objectMode: false });
      form.on("file", (_field, file, filename) => {
        // A form cut off in the middle of the file must not look like the file's end.
        source.once("error", (error) => file.destroy(error));
        form.once("error", (error) => file.destroy(error as Error));
        resolve({ file, filename: filename ?? "" });
      });
      form.once("error", fail);
      form.once("finish", () => fail(invalid("file", "is missing from the form")));
      source.once("error", fail);
      source.pipe(form);
    } catch (error) {
      fail(error);
    }
  });
}
