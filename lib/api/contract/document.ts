import { z } from "zod";
import { openApiDocument } from "@/lib/api/bearer/openapi";

export interface Schema {
  $ref?: string;
  type?: string | string[];
  enum?: unknown[];
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
  additionalProperties?: boolean | Schema;
}
interface Parameter {
  name: string;
  in: string;
  schema: Schema;
}
type Content = { content?: Record<string, { schema?: Schema }> };

/** One operation as the document describes it. */
export interface DocumentedOperation {
  /** operationId */
  name: string;
  method: string;
  /** `/v1/emails/{id}` */
  path: string;
  parameters: Parameter[];
  body: Schema | null;
  responses: Record<string, Content>;
}

interface Document {
  paths: Record<
    string,
    Record<
      string,
      {
        operationId: string;
        parameters?: Parameter[];
        requestBody?: Content;
        responses: Record<string, Content>;
      }
    >
  >;
  components: { schemas: Record<string, Schema> };
}

// What is served is JSON: that, and not the generator's objects, is what clients read.
const document = JSON.parse(JSON.stringify(openApiDocument())) as Document;

/** Every operation of the document. */
export const documented: DocumentedOperation[] = Object.entries(document.paths).flatMap(
  ([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      name: operation.operationId,
      method: method.toUpperCase(),
      path,
      parameters: operation.parameters ?? [],
      body: operation.requestBody?.content?.["application/json"]?.schema ?? null,
      responses: operation.responses,
    })),
);

/** The schema with references followed at its top. */
export function resolve(schema: Schema): Schema {
  const name = schema.$ref?.split("/").at(-1);
  return (name && document.components.schemas[name]) || schema;
}

/** References as JSON Schema has them, and no room for properties that are not documented. */
function strict(schema: Schema): Schema {
  const copy = structuredClone(schema) as Record<string, unknown> & Schema;
  const visit = (node: unknown): void => {
    if (Array.isArray(node)) node.forEach(visit);
    if (typeof node !== "object" || node === null) return;
    const one = node as Schema;
    if (typeof one.$ref === "string")
      one.$ref = one.$ref.replace("#/components/schemas/", "#/$defs/");
    if (one.properties && !one.allOf) one.additionalProperties ??= false;
    Object.values(node).forEach(visit);
  };
  visit(copy);
  return copy;
}

const definitions = Object.fromEntries(
  Object.entries(document.components.schemas).map(([name, schema]) => [name, strict(schema)]),
);
const validators = new WeakMap<Schema, z.ZodType>();

function validatorOf(schema: Schema): z.ZodType {
  let validator = validators.get(schema);
  if (!validator) {
    const whole = { ...strict(schema), $defs: definitions };
    validator = z.fromJSONSchema(whole as Parameters<typeof z.fromJSONSchema>[0]);
    validators.set(schema, validator);
  }
  return validator;
}

/** What is wrong with an answer by the document; empty when it is as described. */
export function faultsOf(
  operation: DocumentedOperation,
  answer: { status: number; text: string; headers: Headers },
): string[] {
  const response = operation.responses[String(answer.status)];
  if (!response) return [`${operation.name} answers ${answer.status}, which is not documented`];
  const type = answer.headers.get("content-type")?.split(";", 1)[0] ?? "";
  // A file: its content is not JSON and has tests of its own.
  if (response.content && type in response.content && type !== "application/json") return [];
  const schema = response.content?.["application/json"]?.schema;
  if (!schema) return answer.text === "" ? [] : ["there is a body where none is documented"];
  let body: unknown;
  try {
    body = JSON.parse(answer.text);
  } catch {
    return [`the body is not JSON: ${answer.text.slice(0, 100)}`];
  }
  const parsed = validatorOf(schema).safeParse(body);
  return parsed.success
    ? []
    : parsed.error.issues.map((issue) => `${issue.path.join(".")}: ${issue.message}`);
}

/** The JSON types a schema lets through; all of them when it says nothing. */
export function typesOf(schema: Schema): Set<string> {
  const resolved = resolve(schema);
  const alternatives = resolved.anyOf ?? resolved.oneOf;
  if (alternatives) return new Set(alternatives.flatMap((one) => [...typesOf(one)]));
  if (resolved.allOf) return typesOf(resolved.allOf[0] ?? {});
  if (resolved.enum && !resolved.type) return new Set(resolved.enum.map((value) => typeof value));
  const types = [
    resolved.type ?? ["string", "number", "boolean", "object", "array", "null"],
  ].flat();
  return new Set(types.map((type) => (type === "integer" ? "number" : type)));
}

const samples: Record<string, unknown> = {
  string: "text",
  number: 4711,
  boolean: true,
  object: { unforeseen: true },
  array: [["unforeseen"]],
  null: null,
};

/** One value of each JSON type that the schema does not let through. */
export function wrongValues(schema: Schema): unknown[] {
  const right = typesOf(schema);
  return Object.keys(samples)
    .filter((type) => !right.has(type))
    .map((type) => samples[type]);
}
