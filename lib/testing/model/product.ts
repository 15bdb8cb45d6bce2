import { sql } from "drizzle-orm";
import { expect } from "vitest";
import type { TestDatabase } from "@/db/testing";
import { mountFor } from "@/lib/doors/http/mounts";
import { env } from "@/lib/ground/env/env";
import { encodeId } from "@/lib/ground/ids/ids";
import { advance } from "../campaigns";
import { dispatchDue } from "../delivery";
import { makeProject, sessionCookie } from "../index";

export interface ProductAnswer {
  status: number;
  body: unknown;
}

type Method = "GET" | "POST" | "PATCH" | "DELETE";
/** With a key, or in the session of a member, who may do more. */
export type Door = "key" | "session";

/** The product with a project of its own, asked through its HTTP surfaces without a network. */
export class Product {
  readonly #database: TestDatabase;
  readonly #prefix: Record<Door, string>;
  readonly #headers: Record<Door, Record<string, string>>;

  private constructor(
    database: TestDatabase,
    project: string,
    { apiKey, cookie }: { apiKey: string; cookie: string },
  ) {
    this.#database = database;
    this.#prefix = { key: "", session: `/api/dashboard/${project}` };
    this.#headers = {
      key: { authorization: `Bearer ${apiKey}` },
      session: { cookie, origin: env().APP_URL },
    };
  }

  static async start(database: TestDatabase): Promise<Product> {
    const { projectId, userId, apiKey } = await makeProject(database.db);
    await database.db.execute(sql`
      update projects set sends_per_minute = 1000000, requests_per_ten_seconds = 1000000
      where id = ${projectId}`);
    const cookie = await sessionCookie(database.db, userId);
    return new Product(database, encodeId("project", projectId), { apiKey, cookie });
  }

  async ask(door: Door, method: Method, path: string, body?: unknown): Promise<ProductAnswer> {
    const url = new URL(`${this.#prefix[door]}/v1/${path}`, env().APP_URL);
    const request = new Request(url, {
      method,
      headers: this.#headers[door],
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const mount = mountFor(url.pathname);
    if (!mount) throw new Error(`No surface answers ${url.pathname}.`);
    const answer = await mount.fetch(request);
    const text = await answer.text();
    return { status: answer.status, body: text ? (JSON.parse(text) as unknown) : undefined };
  }

  /** Asks, and expects this status; resolves to the body. */
  async expect(status: number, ...request: Parameters<Product["ask"]>): Promise<unknown> {
    const answer = await this.ask(...request);
    expect(answer, request.slice(1, 3).join(" ")).toMatchObject({ status });
    return answer.body;
  }

  /** All items of a list, page by page, each once. */
  async pages<Item extends { id?: string; email?: string }>(
    door: Door,
    path: string,
    limit: number,
  ): Promise<Item[]> {
    const items: Item[] = [];
    let cursor = "";
    do {
      const query = `${path.includes("?") ? "&" : "?"}limit=${limit}${cursor && `&cursor=${cursor}`}`;
      const page = (await this.expect(200, door, "GET", path + query)) as {
        data: Item[];
        nextCursor?: string;
      };
      // An empty page with a cursor would have programs ask for ever.
      if (page.nextCursor) expect(page.data, path).toHaveLength(limit);
      items.push(...page.data);
      cursor = page.nextCursor ?? "";
    } while (cursor);
    const keys = items.map(({ id, email }) => id ?? email);
    expect(new Set(keys).size, `${path}: items that come twice`).toBe(keys.length);
    return items;
  }

  /** Longer than counts of segments hold, and than campaigns wait between their steps. */
  async pass(): Promise<void> {
    await this.#database.travel("46 seconds");
    await advance(this.#database.db);
  }

  async dispatch(): Promise<void> {
    await dispatchDue({ db: this.#database.db, transport: null });
  }
}
