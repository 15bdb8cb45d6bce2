import { sql } from "drizzle-orm";
import { executePrepared, type Database } from "@/db/client";
import { domains, inboundRoutes } from "@/db/schema";
import { coalesceFor } from "@/lib/ground/coalesce";
import { domainOf, toALabel } from "@/lib/mail/address";

/** A project that accepts mail for an address. */
export interface InboundMailbox {
  kind: "inbound";
  /** uuid */
  projectId: string;
  /** Its routes. */
  patterns: string[];
}

/** By the names of domains. */
async function readMailboxes(
  db: Database,
  names: readonly string[],
): Promise<(InboundMailbox | null)[]> {
  const rows = await executePrepared<{
    name: string;
    project_id: string;
    patterns: string[];
  }>(
    db,
    sql`
    select ${domains.name}, ${domains.projectId}, array(
      select ${inboundRoutes.pattern} from ${inboundRoutes}
      where ${inboundRoutes.projectId} = ${domains.projectId}) as patterns
    from ${domains}
    where ${domains.name} = any(${sql.param([...new Set(names)])}::text[])
      and ${domains.status} = 'VERIFIED' and not ${domains.builtIn} and ${domains.inbound}`,
  );
  const ofName = new Map<string, InboundMailbox>();
  for (const { name, project_id: projectId, patterns } of rows) {
    ofName.set(name, { kind: "inbound", projectId, patterns });
  }
  return names.map((name) => ofName.get(name) ?? null);
}

/** Sessions that ask at the same time share a statement. */
const findMailbox = coalesceFor(readMailboxes);

/** Null unless a project has verified the domain of the address and switched inbound mail on for it. */
export async function findInboundMailbox(
  db: Database,
  address: string,
): Promise<InboundMailbox | null> {
  const name = toALabel(domainOf(address));
  return name === null ? null : findMailbox(db, name);
}
