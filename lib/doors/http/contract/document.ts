import { z } from "zod";
import type { OpenApiDocument } from "@/lib/doors/http/surface/openapi";

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

/** With references as in JSON Schema, and no room for undocumented properties. */
function strict(schema: Schema): Schema {
  const copy = structuredClone(schema) as Record<string, unknown> & Schema;
  const visit = (node: unknown): void => {
    if (Array.isArray(node)) node.forEach(visit);
    if (typeof node !== "object" || node === null) return;
    const schema = node as Schema;
    if (typeof schema.$ref === "string")
      schema.$ref = schema.$ref.replace("#/components/schemas/", "#/$defs/");
    if (schema.properties && !schema.allOf) schema.additionalProperties ??= false;
    Object.values(node).forEach(visit);
  };
  visit(copy);
  return copy;
}

const samples: Record<string, unknown> = {
  string: "text",
  number: 4711,
  boolean: true,
  object: { unforeseen: true },
  array: [["unforeseen"]],
  null: null,
};

/** An OpenAPI document, as contract tests read it. */
export class Contract {
  private readonly document: Document;
  private readonly definitions: Record<string, Schema>;
  private readonly validators = new WeakMap<Schema, z.ZodType>();
  /** Every operation of the document. */
  readonly operations: DocumentedOperation[];

  constructor(openApi: OpenApiDocument) {
    // What is served is JSON: that, and not the generator's objects, is what clients read.
    this.document = JSON.parse(JSON.stringify(openApi)) as Document;
    this.definitions = Object.fromEntries(
      Object.entries(this.document.components.schemas).map(([name, schema]) => [
        name,
        strict(schema),
      ]),
    );
    this.operations = Object.entries(this.document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({
        name: operation.operationId,
        method: method.toUpperCase(),
        path,
        parameters: operation.parameters ?? [],
        body: operation.requestBody?.content?.["application/json"]?.schema ?? null,
        responses: operation.responses,
      })),
    );
  }

  /** The schema with references followed at its top. */
  resolve(schema: Schema): Schema {
    const name = schema.$ref?.split("/").at(-1);
    return (name && this.document.components.schemas[name]) || schema;
  }

  private validatorOf(schema: Schema): z.ZodType {
    let validator = this.validators.get(schema);
    if (!validator) {
      const whole = { ...strict(schema), $defs: this.definitions };
      validator = z.fromJSONSchema(whole as Parameters<typeof z.fromJSONSchema>[0]);
      this.validators.set(schema, validator);
    }
    return validator;
  }

  /** What is wrong with an answer according to the document; empty when it is as described. */
  faultsOf(
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
    const parsed = this.validatorOf(schema).safeParse(body);
    return parsed.success
      ? []
      : parsed.error.issues.map((issue) => `${issue.path.join(".")}: ${issue.message}`);
  }

  /** The JSON types a schema lets through; all of them when it says nothing. */
  typesOf(schema: Schema): Set<string> {
    const resolved = this.resolve(schema);
    const alternatives = resolved.anyOf ?? resolved.oneOf;
    if (alternatives) return new Set(alternatives.flatMap((one) => [...this.typesOf(one)]));
    if (resolved.allOf) return this.typesOf(resolved.allOf[0] ?? {});
    if (resolved.enum && !resolved.type) return new Set(resolved.enum.map((value) => typeof value));
    const types = [
      resolved.type ?? ["string", "number", "boolean", "object", "array", "null"],
    ].flat();
    return new Set(types.map((type) => (type === "integer" ? "number" : type)));
  }

  /** One value of each JSON type that the schema does not let through; where it is `optional`, null means absent. */
  wrongValues(schema: Schema, optional = false): unknown[] {
    const right = this.typesOf(schema);
    if (optional) right.add("null");
    return Object.keys(samples)
      .filter((type) => !right.has(type))
      .map((type) => samples[type]);
  }

  /** Whether the schema lets text through. */
  mayBeText(schema: Schema): boolean {
    const { type, anyOf } = this.resolve(schema);
    return [type].flat().includes("string") || (anyOf ?? []).some((one) => this.mayBeText(one));
  }
}
