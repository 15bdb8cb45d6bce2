import { and, asc, eq, gt, isNotNull } from "drizzle-orm";
import type { PgColumn } from "drizzle-orm/pg-core";
import type { Database } from "@/db/client";
import { beginUpkeep } from "@/db/upkeep";
import {
  domains,
  installation,
  platformTokens,
  secondFactors,
  sendingConnections,
  webhooks,
} from "@/db/schema";
import { recordAppSecret, smtpCertificateKey } from "@/lib/ground/installation";
import { resealed } from "@/lib/ground/secrets";

const batch = 200;

/** Every column that `seal` writes to. */
const sealedColumns = {
  dkimKeys: { table: domains, key: "dkimPrivateKeySealed" },
  webhookSecrets: { table: webhooks, key: "secretSealed" },
  platformTokens: { table: platformTokens, key: "sealed" },
  secondFactors: { table: secondFactors, key: "secretSealed" },
  connections: { table: sendingConnections, key: "secretSealed" },
  connectionWebhooks: { table: sendingConnections, key: "webhookSecretSealed" },
} as const;
type SealedKind = keyof typeof sealedColumns;

/** How many values were resealed, by kind. */
export type ResealSummary = Record<SealedKind | "certificates", number>;

async function resealColumn(db: Database, kind: SealedKind): Promise<number> {
  const { table, key } = sealedColumns[kind];
  const column = (table as unknown as Record<string, PgColumn>)[key] as PgColumn;
  let changed = 0;
  for (let after: string | null = null; ;) {
    const rows: { id: string; sealed: unknown }[] = await db
      .select({ id: table.id, sealed: column })
      .from(table)
      .where(and(isNotNull(column), after === null ? undefined : gt(table.id, after)))
      .orderBy(asc(table.id))
      .limit(batch);
    for (const { id, sealed } of rows) {
      const anew = resealed(String(sealed));
      if (anew === null) continue;
      // A value that somebody has changed in the meantime is left alone: the loop's next run takes care of it.
      await db.transaction(async (tx) => {
        await beginUpkeep(tx);
        await tx
          .update(table)
          .set({ [key]: anew })
          .where(and(eq(table.id, id), eq(column, sealed)));
      });
      changed++;
    }
    after = rows.at(-1)?.id ?? null;
    if (rows.length < batch) return changed;
  }
}

async function resealCertificate(db: Database): Promise<number> {
  const whichRow = eq(installation.key, smtpCertificateKey);
  const [row] = await db.select().from(installation).where(whichRow);
  const anew = row ? resealed(row.value) : null;
  if (!row || anew === null) return 0;
  await db
    .update(installation)
    .set({ value: anew })
    .where(and(whichRow, eq(installation.value, row.value)));
  return 1;
}

/**
 * Reseals everything that is not sealed with APP_SECRET, repeatedly until nothing is left: a program started with
 * the old secret may still be sealing with it. Then the database belongs to APP_SECRET alone.
 */
export async function resealAll(db: Database): Promise<ResealSummary> {
  const total: ResealSummary = {
    dkimKeys: 0,
    webhookSecrets: 0,
    platformTokens: 0,
    secondFactors: 0,
    connections: 0,
    connectionWebhooks: 0,
    certificates: 0,
  };
  for (;;) {
    let changed = 0;
    const add = (kind: keyof ResealSummary, count: number) => {
      total[kind] += count;
      changed += count;
    };
    for (const kind of Object.keys(sealedColumns) as SealedKind[]) {
      add(kind, await resealColumn(db, kind));
    }
    add("certificates", await resealCertificate(db));
    if (changed === 0) break;
  }
  await recordAppSecret(db);
  return total;
}
