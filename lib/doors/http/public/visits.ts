import { Hono, type Context } from "hono";
import type { Database } from "@/db/client";
import { sqlState } from "@/db/errors";
import { coalesce } from "@/lib/ground/coalesce";
import { log } from "@/lib/ground/log";
import { recordVisits, type Visit } from "@/lib/domain/tracking/record";
import { LinkTargets, type LinkTarget } from "@/lib/domain/tracking/targets";
import { readLinkToken, readPixelToken } from "@/lib/mail/tracking/tokens";
import { clientAddress, type NodeBindings } from "@/lib/doors/http/surface/client-address";
import { answerHeaders, pixelAnswer } from "./pixel";

/** The longest that anybody waits for a visit to be recorded before the link takes them on. */
const longestWaitMilliseconds = 3_000;

type Env = { Bindings: NodeBindings };

function text(words: string, status: number, headers: Record<string, string> = {}): Response {
  return new Response(`${words}\n`, {
    status,
    headers: { ...answerHeaders, "content-type": "text/plain; charset=utf-8", ...headers },
  });
}

const unknown = () => text("This link is not valid.", 404);
const unavailable = () =>
  text("This link does not work at the moment. Please try again.", 503, { "retry-after": "10" });

/** The address in the browsers' spelling; null if nobody may be sent there. */
function webUrl(url: string): string | null {
  if (!URL.canParse(url)) return null;
  const { protocol, href } = new URL(url);
  return protocol === "https:" || protocol === "http:" ? href : null;
}

/** `GET /t/o/{token}.gif` and `GET /t/c/{token}`: recorded, then answered. HEAD is not recorded. */
export function createVisitRoutes(db: () => Database) {
  const targets = new LinkTargets(db);
  const record = coalesce(
    async (visits: Visit[]) => {
      await recordVisits(db(), visits);
      return visits.map(() => true);
    },
    { concurrency: 1, largestBatch: 512 },
  );

  /** Whether it was recorded: a database that is down or slow must not hold people up. */
  async function recorded(c: Context<Env>, visit: Omit<Visit, "visitor">): Promise<boolean> {
    const visitor = {
      userAgent: c.req.header("user-agent") ?? "",
      address: clientAddress(c.req.raw, c.env),
    };
    let timer: NodeJS.Timeout | undefined;
    try {
      return await Promise.race([
        record({ ...visit, visitor }),
        new Promise<false>((resolve) => {
          timer = setTimeout(() => resolve(false), longestWaitMilliseconds);
        }),
      ]);
    } catch (error) {
      log.error({ code: sqlState(error) ?? "unknown" }, "Opens and clicks could not be recorded.");
      return false;
    } finally {
      clearTimeout(timer);
    }
  }

  const app = new Hono<Env>();
  app.get("/t/o/:file", async (c) => {
    const token = /^(.+)\.gif$/.exec(c.req.param("file"))?.[1];
    const emailId = token === undefined ? null : readPixelToken(token);
    if (emailId === null) return unknown();
    const counted = c.req.method === "HEAD" || (await recorded(c, { emailId, link: null }));
    return pixelAnswer(counted ? 200 : 503, counted ? {} : { "retry-after": "10" });
  });
  app.get("/t/c/:token", async (c) => {
    const named = readLinkToken(c.req.param("token"));
    if (named === null) return unknown();
    let target: LinkTarget | null;
    try {
      target = await targets.get(named.linkId);
    } catch (error) {
      log.error({ code: sqlState(error) ?? "unknown" }, "A link could not be looked up.");
      return unavailable();
    }
    const location = target === null ? null : webUrl(target.url);
    if (target === null || location === null) return unknown();
    const { url, projectId } = target;
    const host = (c.env as NodeBindings | undefined)?.hostProjectId;
    if (host !== undefined && host !== projectId) return unknown();
    if (c.req.method !== "HEAD") {
      const { emailId, linkId, links } = named;
      await recorded(c, { emailId, link: { id: linkId, url, links } });
    }
    return new Response(null, { status: 302, headers: { ...answerHeaders, location } });
  });
  for (const path of ["/t/o/:file", "/t/c/:token"]) {
    app.all(path, () => text("Only GET and HEAD are allowed here.", 405, { allow: "GET, HEAD" }));
  }
  return app;
}
