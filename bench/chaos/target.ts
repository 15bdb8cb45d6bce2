import { seedProject } from "@/bin/seed/project";
import type { Database } from "@/db/client";
import { eq } from "drizzle-orm";
import { domains, memberships } from "@/db/schema";
import { createApiKey } from "@/lib/domain/api-keys/api-keys";
import { systemContext, type Context } from "@/lib/ground/context";
import { decodeId, encodeId, newId } from "@/lib/ground/ids/ids";
import { createDkimKey } from "@/lib/domain/sending-domains/dkim-keys";
import { sessionCookie } from "@/lib/testing";
import { httpAnswer, patienceSeconds, withoutAnswer, type Answers } from "./answers";
import type { Doors } from "./doors";

/** A bomb is thrown again and again, and each time resolves to what it was answered, in a word. */
export interface Bomb {
  name: string;
  throw: () => Promise<string>;
}

/** Bombs that are thrown in turn, so many at a time. */
export interface Wave {
  lanes: number;
  /** Between two of a lane's, where what they bring is worked on for longer than the answer takes. */
  pauseMilliseconds?: number;
  bombs: Bomb[];
}

/** People of the project that throws. */
const people = 20_000;
const emails = 60_000;

/** The project that throws, and what it throws at. */
export class Target {
  readonly doors: Doors;
  readonly ctx: Context;
  /** Aborts when the throwing is to end. */
  readonly signal: AbortSignal;
  /** What happens besides answers to bombs is noted here as well. */
  readonly answers: Answers;

  private constructor(doors: Doors, ctx: Context, signal: AbortSignal, answers: Answers) {
    this.doors = doors;
    this.ctx = ctx;
    this.signal = signal;
    this.answers = answers;
  }

  /** Makes the project, with people and mail of eighteen months. */
  static async make(
    db: Database,
    { doors, signal, answers }: { doors: Doors; signal: AbortSignal; answers: Answers },
  ): Promise<Target> {
    const { projectId } = await seedProject(db, { project: "Bombs", contacts: people, emails });
    const ctx = systemContext(db, decodeId("project", projectId) ?? "");
    const target = new Target(doors, ctx, signal, answers);
    await target.domain(sendingDomain, {});
    return target;
  }

  /** A verified domain of the project. */
  async domain(name: string, more: { inbound?: boolean; connectionId?: string }): Promise<void> {
    const { db, projectId } = this.ctx;
    const key = await createDkimKey();
    await db
      .insert(domains)
      .values({ id: newId(projectId), projectId, name, status: "VERIFIED", ...more, ...key });
  }

  /** A key of its own, and so a rate of its own. */
  async key(name: string): Promise<string> {
    const { key } = await createApiKey(this.ctx, { name, scope: "full", mode: "live" });
    return key;
  }

  /** A member's session in the dashboard: where its requests go, and what they carry. */
  async session(): Promise<{ prefix: string; headers: { cookie: string } }> {
    const { db, projectId } = this.ctx;
    const [member] = await db
      .select({ userId: memberships.userId })
      .from(memberships)
      .where(eq(memberships.projectId, projectId));
    const cookie = await sessionCookie(db, member?.userId ?? "");
    const prefix = `/api/dashboard/${encodeId("project", projectId)}`;
    return { prefix, headers: { cookie } };
  }

  /** Resolves to the answer in a word, once all of it has been read. */
  async ask(
    path: string,
    request: {
      key?: string;
      /** POST; without it, GET. */
      body?: string | Uint8Array<ArrayBuffer>;
      type?: string;
      headers?: Record<string, string>;
    },
  ): Promise<string> {
    const { key, body, type = "application/json", headers } = request;
    const signal = AbortSignal.timeout(patienceSeconds * 1_000);
    try {
      const answer = await fetch(path.startsWith("http") ? path : this.doors.web + path, {
        ...(body === undefined ? {} : { method: "POST", body }),
        // One connection each: a kept one may be closed just as the next bomb takes it.
        headers: {
          ...(key ? { authorization: `Bearer ${key}` } : {}),
          ...(body === undefined ? {} : { "content-type": type }),
          connection: "close",
          ...headers,
        },
        signal,
      });
      const word = httpAnswer(answer.status, answer.headers.get("retry-after"));
      // A file that has begun cannot become "busy" when Postgres is killed.
      return await (answer.body ?? new Blob([]).stream()).pipeTo(new WritableStream()).then(
        () => word,
        (error: unknown) => {
          if (signal.aborted) throw error;
          return `${word}, broken off`;
        },
      );
    } catch (error) {
      return withoutAnswer(error, body?.length ?? 0);
    }
  }
}

/** Its mail leaves through the installation's mail server. */
export const sendingDomain = "bombs.example.com";
