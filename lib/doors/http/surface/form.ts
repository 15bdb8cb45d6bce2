import { Readable } from "node:stream";
import { setImmediate as nextTurn } from "node:timers/promises";
import { Busboy } from "@fastify/busboy";
import { invalid } from "@/lib/ground/errors";
import type { NodeBindings } from "./client-address";
import { readBody } from "./body";
import { formFault } from "./incomplete";
import type { BodyRoom } from "./intake";
import type { FormFile } from "./operation";

/*
 * Not the package qs: it makes one file of `files[][url]=a&files[][url]=b` and cuts off what follows the
 * bracket in `d[e]f` (docs/decisions/0039).
 */
const mostFields = 1000;
const mostFiles = 100;
const deepestNesting = 6;

type Node = Map<string, Node | string>;

/** The parts of `contact[company]`; an empty part (`tags[]`) stands for the next free number. */
function namePartsOf(name: string): string[] {
  const match = /^([^[]+)((?:\[[^\][]*\])*)$/.exec(name);
  if (!match?.[1]) return [name];
  return [
    match[1],
    ...[...(match[2] ?? "").matchAll(/\[([^\][]*)\]/g)].map(([, part = ""]) => part),
  ];
}

/** A node whose names are 0, 1, 2 ... without a gap is a list. */
function plainValue(node: Node): unknown {
  const values = [...node].map(([key, value]): [string, unknown] => [
    key,
    typeof value === "string" ? value : plainValue(value),
  ]);
  const isList = values.length > 0 && values.every((_, index) => node.has(String(index)));
  if (!isList) return Object.fromEntries(values);
  const byIndex = new Map(values);
  return values.map((_, index) => byIndex.get(String(index)));
}

/**
 * The nested value that form fields stand for: `contact[company]=X`, `files[0][url]=Y`, `tags[]=Z`. Of two fields with
 * the same name, the last one counts. Throws VALIDATION_ERROR for too many fields or names that are too deep.
 */
export function formValue(fields: Iterable<readonly [string, string]>): Record<string, unknown> {
  const root: Node = new Map();
  let count = 0;
  for (const [name, value] of fields) {
    if (++count > mostFields) throw invalid("", `The form has more than ${mostFields} fields`);
    const parts = namePartsOf(name);
    if (parts.length > deepestNesting)
      throw invalid(name.slice(0, 100), `is nested deeper than ${deepestNesting} levels`);
    let node = root;
    parts.forEach((part, index) => {
      const key = part === "" && index > 0 ? String(node.size) : part;
      const child = node.get(key);
      if (index === parts.length - 1) node.set(key, value);
      else if (child instanceof Map) node = child;
      else {
        const newChild: Node = new Map();
        node.set(key, newChild);
        node = newChild;
      }
    });
  }
  // The top level is never a list: fields named 0, 1, 2 keep their names.
  return Object.fromEntries(
    [...root].map(([key, value]) => [key, typeof value === "string" ? value : plainValue(value)]),
  );
}

const pieceBytes = 256 * 1024;

/** In pieces, so that reading a large form leaves the program's other work its turns. */
async function* piecesOf(body: Buffer): AsyncGenerator<Buffer> {
  for (let at = 0; at < body.length; at += pieceBytes) {
    if (at > 0) await nextTurn();
    yield body.subarray(at, at + pieceBytes);
  }
}

/** A multipart form of at most `limit` bytes, in memory. Throws VALIDATION_ERROR, and as readBody. */
export async function readMultipart(
  request: Request,
  bindings: NodeBindings | undefined,
  limit: number,
  room: BodyRoom | null = null,
): Promise<{ fields: [string, string][]; files: FormFile[] }> {
  const contentType = request.headers.get("content-type") ?? "";
  const body = await readBody(request, bindings, limit, room);
  return new Promise((resolve, reject) => {
    const fail = (error: unknown) => reject(formFault(error));
    const fields: [string, string][] = [];
    const files: FormFile[] = [];
    try {
      const form = new Busboy({
        headers: { "content-type": contentType },
        limits: { fields: mostFields, files: mostFiles, fieldSize: 5 * 1024 * 1024 },
      });
      const source = Readable.from(piecesOf(body), { objectMode: false });
      const stop = (error: unknown) => {
        source.unpipe(form);
        source.destroy();
        fail(error);
      };
      form.on("field", (name, value, _nameCut, valueCut) => {
        if (valueCut) stop(invalid(name.slice(0, 100), "is longer than 5 MB"));
        fields.push([name, value]);
      });
      form.on("file", (field, file, filename) => {
        const chunks: Buffer[] = [];
        file.on("data", (chunk: Buffer) => chunks.push(chunk));
        // The form's own error says so, too, and is the one that counts.
        file.on("error", fail);
        file.on("end", () => {
          files.push({ field, filename: filename ?? "", content: Buffer.concat(chunks) });
        });
      });
      form.on("error", stop);
      form.once("filesLimit", () => stop(invalid("", `The form has more than ${mostFiles} files`)));
      form.once("fieldsLimit", () =>
        stop(invalid("", `The form has more than ${mostFields} fields`)),
      );
      form.once("finish", () => resolve({ fields, files }));
      source.on("error", fail);
      source.pipe(form);
    } catch (error) {
      fail(error);
    }
  });
}
