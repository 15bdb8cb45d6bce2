import type { Contract, DocumentedOperation } from "@/lib/doors/http/contract/document";
import { hostileBody, hostileText } from "./hostile";
import type { Chance } from "@/lib/testing/chance";
import { SeenIds, Values } from "./values";

/** One of the two public surfaces as the fuzzer sees it. */
export interface Surface {
  contract: Contract;
  /** Before the paths of the document: `/api/v1`. */
  prefix: string;
  authorization: string;
}

export interface FuzzRequest {
  operation: DocumentedOperation;
  /** What the answer is about: `contacts`. */
  kind: string;
  /** The fault is in the path, which may lead to another operation. */
  elsewhere: boolean;
  method: string;
  path: string;
  headers: Record<string, string>;
  body: string | null;
}

/** Operations that would pull the rug from under the run itself. */
const left = new Set(["deleteDomain", "deleteApiKey", "cancelImport"]);

/** Makes requests to a surface: a third as documented, two thirds with a fault. */
export class Requests {
  readonly ids = new SeenIds();
  readonly #surface: Surface;
  readonly #chance: Chance;
  readonly #values: Values;
  readonly #operations: DocumentedOperation[];

  constructor(surface: Surface, chance: Chance) {
    this.#surface = surface;
    this.#chance = chance;
    this.#values = new Values(surface.contract, this.ids, chance);
    this.#operations = surface.contract.operations.filter(({ name }) => !left.has(name));
  }

  next(): FuzzRequest {
    const chance = this.#chance;
    let operation = chance.pick(this.#operations);
    // Otherwise little would be left to read and change.
    if (operation.method === "DELETE" && !chance.oneIn(5))
      operation = chance.pick(this.#operations);
    const faulty = !chance.oneIn(3);
    const at = faulty ? chance.pick(["path", "query", "body", "body", "body", "header"]) : "";
    const body = this.#body(operation, at === "body");
    return {
      operation,
      kind: operation.path.match(/[a-z]+(?!.*\/[a-z])/)?.[0] ?? "",
      elsewhere: at === "path",
      method: operation.method,
      path: this.#path(operation, at),
      headers: {
        authorization: this.#surface.authorization,
        ...(body === null ? {} : { "content-type": body.type }),
        ...(at === "header" ? this.#oddHeader() : {}),
      },
      body: body?.text ?? null,
    };
  }

  #path(operation: DocumentedOperation, at: string): string {
    const chance = this.#chance;
    const value = (kind: string, name: string) => {
      if (at === "path")
        return encodeURIComponent(hostileText(chance).toWellFormed()).slice(0, 4_000);
      if (name === "email") return `p${chance.below(50)}@example.org`;
      return this.ids.one(kind, chance) ?? "con_01kat4rz8hfd2b7z1cm4x5n8qk";
    };
    const path = operation.path.replace(
      /([a-z]+)\/\{(\w+)\}/g,
      (_, kind: string, name: string) => `${kind}/${value(kind, name)}`,
    );
    const query = new URLSearchParams();
    for (const { name, in: where, schema } of operation.parameters) {
      if (where !== "query" || !chance.oneIn(3)) continue;
      const broken = at === "query" && chance.oneIn(2);
      const value = broken ? hostileText(chance) : this.#values.make(schema, name);
      query.append(name, typeof value === "string" ? value.toWellFormed() : JSON.stringify(value));
    }
    if (at === "query" && chance.oneIn(3)) query.append(`x${chance.below(9)}`, "1");
    const text = query.toString().slice(0, 12_000);
    return `${this.#surface.prefix}${path}${text && `?${text}`}`;
  }

  #body(operation: DocumentedOperation, faulty: boolean): { text: string; type: string } | null {
    const chance = this.#chance;
    if (operation.name === "importContacts") return { text: this.#csv(faulty), type: "text/csv" };
    if (!operation.body) {
      const empty = faulty && !["GET", "HEAD"].includes(operation.method);
      return empty ? { text: "{}", type: "application/json" } : null;
    }
    const validBody = this.#values.make(operation.body);
    if (!faulty) return { text: JSON.stringify(validBody), type: "application/json" };
    if (chance.oneIn(5)) {
      const types = ["application/json", "text/plain", "multipart/form-data; boundary=x", ""];
      return { text: hostileBody(chance, JSON.stringify(validBody)), type: chance.pick(types) };
    }
    return { text: JSON.stringify(this.#values.break(validBody)), type: "application/json" };
  }

  #csv(faulty: boolean): string {
    const chance = this.#chance;
    const rows = Array.from({ length: 20 }, () => {
      const odd = faulty && chance.oneIn(3) ? hostileText(chance) : "Ada";
      return `p${chance.below(50)}@example.org,${odd},${chance.below(9)}`;
    });
    return `email,firstName,data.seats\n${rows.join("\n")}\n`;
  }

  #oddHeader(): Record<string, string> {
    return this.#chance.pick<Record<string, string>>([
      { authorization: "Basic YTpi" },
      { authorization: "Bearer" },
      { authorization: `Bearer ${"x".repeat(5_000)}` },
      { authorization: "" },
      { "idempotency-key": "x".repeat(500) },
      { "idempotency-key": "é" },
      { "idempotency-key": `same ${this.#chance.below(3)}` },
      { "content-encoding": "gzip" },
      { "x-request-id": "a".repeat(300) },
      { "x-forwarded-for": "1.2.3.4, ::1, nonsense" },
      { accept: "text/html;q=x" },
      { range: "bytes=0-" },
    ]);
  }
}
