import type { JSONObject, Tool } from "@modelcontextprotocol/server";
import type { Role } from "@/db/enums";
import { bearerOperations } from "@/lib/doors/http/v1/operations";
import { openApiDocument } from "@/lib/doors/http/v1/openapi";
import { questionFields } from "./confirm-campaign";
import { toolDeclarations, type ToolDeclaration } from "./tools";

interface Parameter {
  name: string;
  in: "path" | "query" | "header";
  required?: boolean;
  description?: string;
  schema: JSONObject;
}

interface DocumentedOperation {
  operationId: string;
  parameters?: Parameter[];
  requestBody?: { required?: boolean; content: Record<string, { schema: JSONObject }> };
  responses: Record<string, { content?: Record<string, { schema?: JSONObject }> }>;
}

/** A tool as it is listed, and where its arguments go in the request that it makes. */
export interface PreparedTool {
  declaration: ToolDeclaration;
  listed: Tool;
  method: string;
  /** `/v1/contacts/{id}` */
  path: string;
  pathArguments: readonly string[];
  queryArguments: readonly string[];
  takesBody: boolean;
  /** What its caller needs. */
  access: Role | "send";
  /** Which rate limit a call of it counts towards. */
  rate: "send" | "api";
}

interface ObjectSchema {
  type: "object";
  properties: Record<string, JSONObject>;
  required: string[];
}

const json = (content: Record<string, { schema?: JSONObject }> | undefined) =>
  content?.["application/json"]?.schema;

/** Query parameters are text; where that is `true` or `false`, a tool takes the value itself. */
function argumentOf({ schema, description }: Parameter): JSONObject {
  const isFlag = JSON.stringify(schema["enum"]) === '["true","false"]';
  return { ...(isFlag ? { type: "boolean" } : schema), ...(description ? { description } : {}) };
}

/** The document's schemas, from which references are carried along. */
class Definitions {
  readonly #schemas: Record<string, JSONObject>;

  constructor(schemas: Record<string, JSONObject>) {
    this.#schemas = schemas;
  }

  object(schema: JSONObject | undefined): ObjectSchema {
    const name = typeof schema?.["$ref"] === "string" ? schema["$ref"].split("/").at(-1) : null;
    const resolved = (name ? this.#schemas[name] : schema) as Partial<ObjectSchema> | undefined;
    return {
      type: "object",
      properties: resolved?.properties ?? {},
      required: resolved?.required ?? [],
    };
  }

  /** The schema on its own: whatever it refers to is in its `$defs`. */
  standalone(schema: object): JSONObject {
    const used: Record<string, unknown> = {};
    const visit = (node: unknown): unknown => {
      if (Array.isArray(node)) return node.map(visit);
      if (typeof node !== "object" || node === null) return node;
      const entries = Object.entries(node).map(([key, value]) => {
        if (key !== "$ref" || typeof value !== "string") return [key, visit(value)];
        const name = value.split("/").at(-1) ?? "";
        if (!(name in used)) {
          used[name] = true;
          used[name] = visit(this.#schemas[name]);
        }
        return [key, `#/$defs/${name}`];
      });
      return Object.fromEntries(entries) as unknown;
    };
    const visited = visit(schema) as JSONObject;
    return Object.keys(used).length > 0 ? ({ ...visited, $defs: used } as JSONObject) : visited;
  }
}

function inputOf(
  { confirms }: ToolDeclaration,
  operation: DocumentedOperation,
  definitions: Definitions,
): ObjectSchema {
  const parameters = (operation.parameters ?? []).filter((one) => one.in !== "header");
  const body = definitions.object(json(operation.requestBody?.content));
  const confirm = {
    type: "boolean",
    description: "True once the user has agreed to the number of people.",
  };
  return {
    type: "object",
    properties: {
      ...Object.fromEntries(parameters.map((one) => [one.name, argumentOf(one)])),
      ...body.properties,
      ...(confirms ? { confirm } : {}),
    },
    required: [
      ...parameters.filter(({ required }) => required).map(({ name }) => name),
      ...body.required,
    ],
  };
}

function outputOf(
  { picks, confirms }: ToolDeclaration,
  { responses }: DocumentedOperation,
  definitions: Definitions,
): ObjectSchema {
  const success = Object.entries(responses).find(([status]) => status.startsWith("2"));
  const schema = json(success?.[1].content);
  if (!schema) {
    return { type: "object", properties: { done: { const: true } }, required: ["done"] };
  }
  const { properties, required } = definitions.object(schema);
  const names = picks ?? Object.keys(properties);
  return {
    type: "object",
    properties: {
      ...Object.fromEntries(names.map((name) => [name, properties[name] ?? {}])),
      ...(confirms ? questionFields : {}),
    },
    // The answer that asks before a large campaign has none of these fields.
    required: confirms ? [] : required.filter((name) => names.includes(name)),
  };
}

function rulesOf(name: ToolDeclaration["operation"]): Pick<PreparedTool, "access" | "rate"> {
  const operation = bearerOperations.find((candidate) => candidate.name === name);
  if (!operation) throw new Error(`There is no operation ${name}.`);
  return { access: operation.access, rate: operation.rate };
}

function prepare(): PreparedTool[] {
  const document = JSON.parse(JSON.stringify(openApiDocument())) as {
    paths: Record<string, Record<string, DocumentedOperation>>;
    components: { schemas: Record<string, JSONObject> };
  };
  const definitions = new Definitions(document.components.schemas);
  const operations = new Map(
    Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(
        ([method, operation]) => [operation.operationId, { path, method, operation }] as const,
      ),
    ),
  );
  return toolDeclarations.map((declaration) => {
    const described = operations.get(declaration.operation);
    if (!described) throw new Error(`The document lacks ${declaration.operation}.`);
    const { operation, path, method } = described;
    const parameters = operation.parameters ?? [];
    const named = (where: Parameter["in"]) =>
      parameters.filter((one) => one.in === where).map(({ name }) => name);
    return {
      declaration,
      ...rulesOf(declaration.operation),
      method: method.toUpperCase(),
      path,
      pathArguments: named("path"),
      queryArguments: named("query"),
      takesBody: operation.requestBody !== undefined,
      listed: {
        name: declaration.name,
        title: declaration.title,
        description: declaration.description,
        inputSchema: definitions.standalone({
          ...inputOf(declaration, operation, definitions),
          additionalProperties: false,
        }) as Tool["inputSchema"],
        outputSchema: definitions.standalone(outputOf(declaration, operation, definitions)),
        annotations: {
          title: declaration.title,
          readOnlyHint: declaration.readOnly === true,
          destructiveHint: declaration.destructive === true,
          idempotentHint: declaration.readOnly === true || declaration.idempotent === true,
          openWorldHint: declaration.readOnly !== true,
        },
      },
    };
  });
}

let prepared: PreparedTool[] | undefined;

/** Every tool with the schemas of the bearer API's document. Made once per process. */
export function preparedTools(): readonly PreparedTool[] {
  return (prepared ??= prepare());
}
