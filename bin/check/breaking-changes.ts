interface Schema {
  $ref?: string;
  type?: string | string[];
  enum?: unknown[];
  const?: unknown;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
  maxLength?: number;
  maxItems?: number;
  maximum?: number;
  minLength?: number;
  minItems?: number;
  minimum?: number;
  additionalProperties?: boolean | Schema;
}
interface Content {
  content?: Record<string, { schema?: Schema }>;
}
interface Parameter {
  name: string;
  in: string;
  required?: boolean;
  schema?: Schema;
}
interface OperationObject {
  parameters?: Parameter[];
  requestBody?: Content & { required?: boolean };
  responses?: Record<string, Content>;
}
/** The part of an OpenAPI document that clients depend on. */
export interface Document {
  paths?: Record<string, Record<string, OperationObject>>;
  components?: { schemas?: Record<string, Schema> };
}

type Direction = "request" | "response";

/** Follows both documents side by side and gathers what an existing client would trip over. */
class Comparison {
  readonly changes: string[] = [];
  readonly #seen = new Set<string>();

  constructor(
    readonly before: Document,
    readonly after: Document,
  ) {}

  schema(place: string, direction: Direction, before?: Schema, after?: Schema): void {
    if (!before) {
      return;
    }
    if (!after) {
      this.changes.push(`${place} is gone`);
      return;
    }
    const pair = `${direction} ${before.$ref} ${after.$ref}`;
    if (before.$ref && after.$ref) {
      if (this.#seen.has(pair)) return;
      this.#seen.add(pair);
    }
    const [was, is] = [resolve(this.before, before), resolve(this.after, after)];
    this.#values(place, direction, was, is);
    this.#bounds(place, direction, was, is);
    this.#properties(place, direction, was, is);
    if (was.items) this.schema(`${place}[]`, direction, was.items, is.items);
    for (const kind of ["anyOf", "oneOf", "allOf"] as const) {
      const [old, now] = [was[kind] ?? [], is[kind] ?? []];
      const lost = direction === "request" ? old.length > now.length : now.length > old.length;
      if (lost && old.length > 0) this.changes.push(`${place} has other alternatives`);
      old.forEach((one, index) => {
        if (now[index]) this.schema(place, direction, one, now[index]);
      });
    }
  }

  #values(place: string, direction: Direction, was: Schema, is: Schema): void {
    const [typesBefore, typesAfter] = [typesOf(was), typesOf(is)];
    const [wide, narrow] =
      direction === "request" ? [typesAfter, typesBefore] : [typesBefore, typesAfter];
    if (wide.length > 0 && narrow.some((type) => !wide.includes(type))) {
      this.changes.push(`${place} is ${typesAfter.join("|")} instead of ${typesBefore.join("|")}`);
    }
    if (direction === "request" && is.enum) {
      const gone = (was.enum ?? []).filter((value) => !is.enum?.includes(value));
      if (!was.enum) this.changes.push(`${place} takes named values only`);
      else if (gone.length > 0) this.changes.push(`${place} no longer takes ${gone.join(", ")}`);
    }
    if (direction === "response" && was.enum && is.enum) {
      const more = is.enum.filter((value) => !was.enum?.includes(value));
      if (more.length > 0) this.changes.push(`${place} can be ${more.join(", ")}`);
    }
  }

  #bounds(place: string, direction: Direction, was: Schema, is: Schema): void {
    if (direction === "response") return;
    for (const most of ["maxLength", "maxItems", "maximum"] as const) {
      if ((is[most] ?? Infinity) < (was[most] ?? Infinity)) {
        this.changes.push(`${place} has a lower ${most}: ${is[most]}`);
      }
    }
    for (const least of ["minLength", "minItems", "minimum"] as const) {
      if ((is[least] ?? -Infinity) > (was[least] ?? -Infinity)) {
        this.changes.push(`${place} has a higher ${least}: ${is[least]}`);
      }
    }
  }

  #properties(place: string, direction: Direction, was: Schema, is: Schema): void {
    for (const [name, old] of Object.entries(was.properties ?? {})) {
      this.schema(`${place}.${name}`, direction, old, is.properties?.[name]);
    }
    const [asked, had] =
      direction === "request" ? [is.required, was.required] : [was.required, is.required];
    for (const name of asked ?? []) {
      if (had?.includes(name)) continue;
      if (direction === "request") this.changes.push(`${place}.${name} has become required`);
      else if (is.properties?.[name]) this.changes.push(`${place}.${name} may be absent`);
    }
  }
}

function typesOf(schema: Schema): string[] {
  return [schema.type ?? []].flat();
}

function resolve(document: Document, schema: Schema): Schema {
  const name = schema.$ref?.replace("#/components/schemas/", "");
  return (name && document.components?.schemas?.[name]) || schema;
}

const bodySchema = (content?: Content) => content?.content?.["application/json"]?.schema;

/** What a client written for `before` would trip over in `after`, in sentences; additions do no harm. */
export function breakingChanges(before: Document, after: Document): string[] {
  const comparison = new Comparison(before, after);
  for (const [path, methods] of Object.entries(before.paths ?? {})) {
    for (const [method, was] of Object.entries(methods)) {
      const place = `${method.toUpperCase()} ${path}`;
      const is = after.paths?.[path]?.[method];
      if (!is) {
        comparison.changes.push(`${place} is gone`);
        continue;
      }
      compareOperation(comparison, place, was, is);
    }
  }
  return comparison.changes;
}

function compareOperation(
  comparison: Comparison,
  place: string,
  was: OperationObject,
  is: OperationObject,
): void {
  for (const parameter of is.parameters ?? []) {
    const old = was.parameters?.find(
      ({ name, in: where }) => name === parameter.name && where === parameter.in,
    );
    if (parameter.required && !old?.required) {
      comparison.changes.push(`${place}: ${parameter.in} ${parameter.name} has become required`);
    }
    const name = `${place} ${parameter.name}`;
    if (old) comparison.schema(name, "request", old.schema ?? {}, parameter.schema ?? {});
  }
  for (const old of was.parameters ?? []) {
    const kept = is.parameters?.some(
      ({ name, in: where }) => name === old.name && where === old.in,
    );
    if (!kept) comparison.changes.push(`${place}: ${old.in} ${old.name} is gone`);
  }
  if (is.requestBody?.required && !was.requestBody?.required) {
    comparison.changes.push(`${place}: a body has become required`);
  }
  comparison.schema(
    `${place} body`,
    "request",
    bodySchema(was.requestBody),
    bodySchema(is.requestBody),
  );
  for (const [status, response] of Object.entries(was.responses ?? {})) {
    if (!status.startsWith("2")) continue;
    if (!is.responses?.[status]) comparison.changes.push(`${place} no longer answers ${status}`);
    else {
      comparison.schema(
        `${place} ${status}`,
        "response",
        bodySchema(response),
        bodySchema(is.responses[status]),
      );
    }
  }
}
