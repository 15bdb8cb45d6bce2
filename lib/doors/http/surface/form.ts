import { Readable } from "node:stream";
import { Busboy } from "@fastify/busboy";
import { AppError, invalid } from "@/lib/ground/errors";
import type { NodeBindings } from "./client-address";
import { largestRequestBytes } from "./body";
import type { FormFile } from "./operation";

const mostFields = 1000;
const mostFiles = 100;
const deepest = 6;

type Node = Map<string, Node | string>;

/** `contact[company]` as its parts; an empty part (`tags[]`) is the next free number. */
function partsOf(name: string): string[] {
  const match = /^([^[]+)((?:\[[^\][]*\])*)$/.exec(name);
  if (!match?.[1]) return [name];
  return [
    match[1],
    ...[...(match[2] ?? "").matchAll(/\[([^\]]*)\]/g)].map(([, part = ""]) => part),
  ];
}

function plain(node: Node): unknown {
  const values = [...node].map(([key, value]): [string, unknown] => [
    key,
    typeof value === "string" ? value : plain(value),
  ]);
  const isList = values.length > 0 && values.every((_, index) => node.has(String(index)));
  if (!isList) return Object.fromEntries(values);
  const byIndex = new Map(values);
  return values.map((_, index) => byIndex.get(String(index)));
}

/**
 * Form fields as the nested value they mean: `contact[company]=X`, `files[0][url]=Y`, `tags[]=Z`. The last
 * of two with one name counts. Throws VALIDATION_ERROR for too many or too deep ones.
 */
export function formValue(fields: Iterable<readonly [string, string]>): Record<string, unknown> {
  const root: Node = new Map();
  let count = 0;
  for (const [name, value] of fields) {
    if (++count > mostFields) throw invalid("", `The form has more than ${mostFields} fields`);
    const parts = partsOf(name);
    if (parts.length > deepest)
      throw invalid(name.slice(0, 100), `is nested deeper than ${deepest}`);
    let node = root;
    parts.forEach((part, index) => {
      const key = part === "" && index > 0 ? String(node.size) : part;
      const inside = node.get(key);
      if (index === parts.length - 1) node.set(key, value);
      else if (inside instanceof Map) node = inside;
      else {
        const made: Node = new Map();
        node.set(key, made);
        node = made;
      }
    });
  }
  // A list at the top would be fields named 0, 1, 2: those stay names.
  return Object.fromEntries(
    [...root].map(([key, value]) => [key, typeof value === "string" ? value : plain(value)]),
  );
}

/** A multipart form, at most 40 MB, in memory. Throws VALIDATION_ERROR, PAYLOAD_TOO_LARGE. */
export function readMultipart(
  request: Request,
  bindings: NodeBindings | undefined,
): Promise<{ fields: [string, string][]; files: FormFile[] }> {
  const contentType = request.headers.get("content-type") ?? "";
  const body = (bindings?.incoming ?? request.body) as AsyncIterable<Uint8Array> | null;
  return new Promise((resolve, reject) => {
    const fail = (error: unknown) => {
      reject(
        error instanceof AppError
          ? error
          : new AppError("VALIDATION_ERROR", "The request body is no valid multipart form."),
      );
    };
    const fields: [string, string][] = [];
    const files: FormFile[] = [];
    let size = 0;
    try {
      const form = new Busboy({
        headers: { "content-type": contentType },
        limits: { fields: mostFields, files: mostFiles, fieldSize: 5 * 1024 * 1024 },
      });
      const source = Readable.from(body ?? [], { objectMode: false });
      const stop = (error: unknown) => {
        source.unpipe(form);
        source.destroy();
        fail(error);
      };
      source.on("data", (chunk: Uint8Array) => {
        size += chunk.byteLength;
        if (size > largestRequestBytes) {
          stop(new AppError("PAYLOAD_TOO_LARGE", "The request is larger than 40 MB."));
        }
      });
      form.on("field", (name, value, _nameCut, valueCut) => {
        if (valueCut) stop(invalid(name.slice(0, 100), "is longer than 5 MB"));
        fields.push([name, value]);
      });
      form.on("file", (field, file, filename) => {
        const chunks: Buffer[] = [];
        file.on("data", (chunk: Buffer) => chunks.push(chunk));
        file.on("end", () => {
          files.push({ field, filename: filename ?? "", content: Buffer.concat(chunks) });
        });
      });
      form.once("error", stop);
      form.once("filesLimit", () => stop(invalid("", `The form has more than ${mostFiles} files`)));
      form.once("fieldsLimit", () =>
        stop(invalid("", `The form has more than ${mostFields} fields`)),
      );
      form.once("finish", () => resolve({ fields, files }));
      source.once("error", fail);
      source.pipe(form);
    } catch (error) {
      fail(error);
    }
  });
}
