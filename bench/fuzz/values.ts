import type { Contract, Schema } from "@/lib/doors/http/contract/document";
import { hostileValue } from "./hostile";
import type { Chance } from "@/lib/testing/chance";

interface RichSchema extends Schema {
  example?: unknown;
  default?: unknown;
  const?: unknown;
  format?: string;
  minItems?: number;
  maxItems?: number;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
}

type Fields = Record<string, unknown>;
const isFields = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Wire ids seen in answers, by what they identify: `contacts`, `templates`, `lists`. */
export class SeenIds {
  readonly #ids = new Map<string, string[]>();

  /** Collects the ids from an answer to `path`. */
  harvest(kind: string, body: unknown): void {
    if (!isFields(body)) return;
    const data = body["data"] ?? body["list"] ?? body;
    for (const item of Array.isArray(data) ? (data as unknown[]) : [data]) {
      if (!isFields(item)) continue;
      const id = item["id"] ?? item["uid"];
      if (typeof id === "string") this.#add(kind, id);
    }
  }

  #add(kind: string, id: string): void {
    const ids = this.#ids.get(kind) ?? [];
    if (ids.includes(id)) return;
    // The newest ones: older ones may be gone.
    this.#ids.set(kind, [...ids.slice(-30), id]);
  }

  one(kind: string, chance: Chance): string | null {
    const ids = this.#ids.get(kind);
    return ids?.length ? chance.pick(ids) : null;
  }
}

/** `templateId`, `template`, `list_uid`, `segmentIds` name a kind; null for others. */
function kindOf(name: string): string | null {
  const idOfKind = /^(template|segment|list|campaign|contact|webhook|domain)s?(?:_?u?ids?)?$/i.exec(
    name,
  );
  return idOfKind ? `${(idOfKind[1] ?? "").toLowerCase()}s` : null;
}

/** Makes values that a schema accepts, and breaks them. */
export class Values {
  readonly #contract: Contract;
  readonly #ids: SeenIds;
  readonly #chance: Chance;

  constructor(contract: Contract, ids: SeenIds, chance: Chance) {
    this.#contract = contract;
    this.#ids = ids;
    this.#chance = chance;
  }

  make(schema: Schema, name = "", depth = 0): unknown {
    const chance = this.#chance;
    const resolved = this.#contract.resolve(schema) as RichSchema;
    if (resolved.const !== undefined) return resolved.const;
    if (resolved.enum) return chance.pick(resolved.enum);
    if (resolved.example !== undefined && chance.oneIn(3)) return resolved.example;
    const choices = resolved.anyOf ?? resolved.oneOf;
    if (choices) return this.make(chance.pick(choices), name, depth);
    if (resolved.allOf) {
      return Object.assign({}, ...resolved.allOf.map((part) => this.make(part, name, depth)));
    }
    const types = [resolved.type ?? "string"].flat();
    switch (chance.pick(types)) {
      case "object":
        return this.#object(resolved, depth);
      case "array": {
        const least = resolved.minItems ?? 0;
        const count = depth > 5 ? least : least + chance.below(3);
        return Array.from({ length: count }, () =>
          this.make(resolved.items ?? {}, name, depth + 1),
        );
      }
      case "integer":
        return this.#number(resolved, true);
      case "number":
        return this.#number(resolved, false);
      case "boolean":
        return chance.oneIn(2);
      case "null":
        return null;
      default:
        return this.#text(resolved, name);
    }
  }

  #object(schema: RichSchema, depth: number): Fields {
    const chance = this.#chance;
    const required = new Set(schema.required);
    const fields: Fields = {};
    for (const [key, property] of Object.entries(schema.properties ?? {})) {
      if (!required.has(key) && (depth > 5 || !chance.oneIn(3))) continue;
      fields[key] = this.make(property, key, depth + 1);
    }
    if (typeof schema.additionalProperties === "object" && chance.oneIn(2)) {
      fields[`key${chance.below(5)}`] = this.make(schema.additionalProperties, "", depth + 1);
    }
    return fields;
  }

  #number({ minimum = 0, maximum = 1_000 }: RichSchema, whole: boolean): number {
    const value = minimum + this.#chance.next() * (Math.min(maximum, minimum + 1_000) - minimum);
    return whole ? Math.round(value) : value;
  }

  #text(schema: RichSchema, name: string): string {
    const chance = this.#chance;
    const kind = kindOf(name);
    if (kind) return this.#ids.one(kind, chance) ?? "con_01kat4rz8hfd2b7z1cm4x5n8qk";
    if (/at$|date/i.test(name) || schema.format?.startsWith("date")) {
      return new Date(Date.now() + chance.below(7 * 86_400_000)).toISOString();
    }
    if (/from|sender/i.test(name)) return "hello@fuzz.example.com";
    if (/email|^to$|reply|recipient/i.test(name)) return `p${chance.below(50)}@example.org`;
    if (/url/i.test(name)) return `https://example.com/${chance.below(100)}`;
    if (/html|body|subject|content/i.test(name)) {
      return `<p>Hello {{ firstName | default: "you" }}, ${chance.below(100)}</p>`;
    }
    const words = `text ${chance.below(1_000)}`.padEnd(schema.minLength ?? 0, "x");
    return words.slice(0, schema.maxLength ?? words.length);
  }

  /** The same value with one fault at a random place. */
  break(value: unknown): unknown {
    const chance = this.#chance;
    if (Array.isArray(value) && value.length > 0 && !chance.oneIn(4)) {
      const at = chance.below(value.length);
      return (value as unknown[]).map((item, n) => (n === at ? this.break(item) : item));
    }
    if (isFields(value) && Object.keys(value).length > 0 && !chance.oneIn(6)) {
      const key = chance.pick(Object.keys(value));
      if (chance.oneIn(5)) {
        return Object.fromEntries(Object.entries(value).filter(([name]) => name !== key));
      }
      if (chance.oneIn(5)) return { ...value, [`${key}x`]: hostileValue(chance) };
      return { ...value, [key]: this.break(value[key]) };
    }
    return hostileValue(chance);
  }
}
