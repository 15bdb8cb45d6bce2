import { and, eq } from "drizzle-orm";
import type { Database } from "@/db/client";
import { domains, inboundRoutes } from "@/db/schema";
import { domainOf, toALabel } from "@/lib/mail/address";

/** A project that accepts mail for an address. */
export interface InboundMailbox {
  kind: "inbound";
  /** uuid */
  projectId: string;
  /** Its routes. */
  patterns: string[];
}

/** Null unless a project has verified the domain of the address and switched inbound mail on for it. */
export async function findInboundMailbox(
  db: Database,
  address: string,
): Promise<InboundMailbox | null> {
  const name = toALabel(domainOf(address));
  if (name === null) return null;
  const rows = await db
    .select({ projectId: domains.projectId, pattern: inboundRoutes.pattern })
    .from(domains)
    .leftJoin(inboundRoutes, eq(inboundRoutes.projectId, domains.projectId))
    .where(
      and(
        eq(domains.name, name),
        eq(domains.status, "VERIFIED"),
        eq(domains.builtIn, false),
        eq(domains.inbound, true),
      ),
    );
  const [row] = rows;
  if (!row) return null;
  const patterns = rows.flatMap(({ pattern }) => (pattern === null ? [] : [pattern]));
  return { kind: "inbound", projectId: row.projectId, patterns };
}
