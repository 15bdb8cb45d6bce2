import { curlOf, type CurlCredential } from "./curl";
import type { OpenApiDocument } from "@/lib/doors/http/surface/openapi";

/** One field of a body or an answer, or one parameter. Nested ones follow their parent, one deeper. */
export interface ReferenceField {
  name: string;
  /** `string`, `integer`, `array of Recipient`, `"PENDING" | "SENT"`. */
  type: string;
  required: boolean;
  description: string;
  depth: number;
}

export interface ReferenceOperation {
  /** operationId; in the address of its page. */
  name: string;
  method: string;
  path: string;
  summary: string;
  description: string;
  /** Those of the path, the query and the headers. */
  parameters: (ReferenceField & { in: string })[];
  body: ReferenceField[];
  requests: { title: string; curl: string }[];
  answers: { status: string; fields: ReferenceField[]; example: string | null }[];
  errors: { status: string; codes: string }[];
}

export interface ReferenceGroup {
  tag: string;
  description: string;
  operations: ReferenceOperation[];
}

interface Schema {
  $ref?: string;
  type?: string | string[];
  enum?: unknown[];
  const?: unknown;
  format?: string;
  example?: string;
  description?: string;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
}
interface Media {
  schema?: Schema;
  example?: unknown;
  examples?: Record<string, { summary?: string; value: unknown }>;
}
type Content = Record<string, Media>;
interface Documented {
  operationId: string;
  summary?: string;
  description?: string;
  tags: string[];
  parameters?: {
    name: string;
    in: string;
    required?: boolean;
    description?: string;
    schema: Schema;
  }[];
  requestBody?: { content: Content };
  responses: Record<string, { description: string; content?: Content }>;
}
interface OpenApi {
  servers: { url: string }[];
  tags: { name: string; description?: string }[];
  paths: Record<string, Record<string, Documented>>;
  components: { schemas: Record<string, Schema> };
}

const deepest = 3;

class Reader {
  constructor(private readonly schemas: Record<string, Schema>) {}

  private resolve(schema: Schema): Schema {
    const named = schema.$ref && this.schemas[schema.$ref.split("/").at(-1) ?? ""];
    if (!named) return schema;
    return schema.description ? { ...named, description: schema.description } : named;
  }

  typeOf(schema: Schema): string {
    if (schema.$ref) return schema.$ref.split("/").at(-1) ?? "object";
    if (schema.const !== undefined) return JSON.stringify(schema.const);
    if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(" | ");
    const choices = schema.anyOf ?? schema.oneOf;
    if (choices) return [...new Set(choices.map((one) => this.typeOf(one)))].join(" | ");
    if (schema.allOf?.[0]) return this.typeOf(schema.allOf[0]);
    if (schema.type === "array" || schema.items) {
      return `array of ${schema.items ? this.typeOf(schema.items) : "anything"}`;
    }
    const type = [schema.type ?? "anything"].flat().join(" | ");
    return schema.format ? `${type} (${schema.format})` : type;
  }

  /** The fields of an object, or of one inside an array or a choice, each followed by its own fields. */
  fields(schema: Schema | undefined, depth = 0, above: readonly Schema[] = []): ReferenceField[] {
    const object = schema && this.objectIn(schema);
    if (!object?.properties || depth > deepest || above.includes(object)) return [];
    return Object.entries(object.properties).flatMap(([name, field]) => [
      {
        name,
        type: this.typeOf(field),
        required: object.required?.includes(name) ?? false,
        description: this.resolve(field).description ?? "",
        depth,
      },
      ...this.fields(field, depth + 1, [...above, object]),
    ]);
  }

  private objectIn(schema: Schema): Schema | null {
    const resolved = this.resolve(schema);
    if (resolved.properties) return resolved;
    const inside = [
      ...(resolved.anyOf ?? []),
      ...(resolved.oneOf ?? []),
      ...(resolved.allOf ?? []),
      ...(resolved.items ? [resolved.items] : []),
    ];
    for (const part of inside) {
      const schema = this.objectIn(part);
      if (schema) return schema;
    }
    return null;
  }
}

function requestsOf(
  operation: Documented,
  request: { method: string; path: string; base: string; credential: CurlCredential },
) {
  const { method, path, base, credential } = request;
  const content = operation.requestBody?.content;
  const examples = content?.["application/json"]?.examples;
  const parameters = operation.parameters ?? [];
  const target = path.replace(/\{(\w+)\}/g, (whole, name: string) => {
    return parameters.find((one) => one.name === name)?.schema.example ?? whole;
  });
  const needed = parameters.flatMap((one) =>
    one.in === "query" && one.required && one.schema.example
      ? [[one.name, one.schema.example]]
      : [],
  );
  const query = new URLSearchParams(needed).toString();
  const url = base + target + (query && `?${query}`);
  const file = content && !examples ? Object.keys(content)[0] : undefined;
  if (file) return [{ title: "A file", curl: curlOf({ method, url, file, credential }) }];
  if (!examples) return [{ title: "Request", curl: curlOf({ method, url, credential }) }];
  return Object.values(examples).map(({ summary, value }) => ({
    title: summary ?? "Request",
    curl: curlOf({ method, url, body: value, credential }),
  }));
}

function answersOf(reader: Reader, responses: Documented["responses"]) {
  return Object.entries(responses)
    .filter(([status]) => status.startsWith("2"))
    .map(([status, { content }]) => {
      const media = content?.["application/json"];
      return {
        status,
        fields: reader.fields(media?.schema),
        example: media?.example === undefined ? null : JSON.stringify(media.example, null, 2),
      };
    });
}

const references = new WeakMap<OpenApiDocument, ReferenceGroup[]>();

/** The API's document as a page shows it: by tag, each operation with fields, examples and errors. Read once. */
export function apiReference(
  openApi: OpenApiDocument,
  credential: CurlCredential = "key",
): ReferenceGroup[] {
  let known = references.get(openApi);
  if (!known) references.set(openApi, (known = readReference(openApi, credential)));
  return known;
}

function readReference(openApi: OpenApiDocument, credential: CurlCredential): ReferenceGroup[] {
  // What is served is JSON: that, and not the generator's objects, is what is described.
  const document = JSON.parse(JSON.stringify(openApi)) as OpenApi;
  const reader = new Reader(document.components.schemas);
  const base = document.servers[0]?.url ?? "";
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      tag: operation.tags[0] ?? "",
      name: operation.operationId,
      method: method.toUpperCase(),
      path,
      summary: operation.summary ?? operation.operationId,
      description: operation.description ?? "",
      parameters: (operation.parameters ?? []).map((one) => ({
        name: one.name,
        in: one.in,
        type: reader.typeOf(one.schema),
        required: one.required ?? false,
        description: one.description ?? one.schema.description ?? "",
        depth: 0,
      })),
      body: reader.fields(operation.requestBody?.content["application/json"]?.schema),
      requests: requestsOf(operation, { method: method.toUpperCase(), path, base, credential }),
      answers: answersOf(reader, operation.responses),
      errors: Object.entries(operation.responses)
        .filter(([status]) => !status.startsWith("2"))
        .map(([status, { description }]) => ({ status, codes: description })),
    })),
  );
  return document.tags.map(({ name, description }) => ({
    tag: name,
    description: description ?? "",
    operations: operations.filter(({ tag }) => tag === name),
  }));
}

/** The operation of that name, and its group; null: there is none. */
export function findOperation(
  groups: readonly ReferenceGroup[],
  name: string,
): { group: ReferenceGroup; operation: ReferenceOperation } | null {
  for (const group of groups) {
    const operation = group.operations.find((one) => one.name === name);
    if (operation) return { group, operation };
  }
  return null;
}
