import { sql, type SQL } from "drizzle-orm";
import type { PgColumn } from "drizzle-orm/pg-core";
import type { Executor } from "@/db/client";

/** Of one answer. Decoding it takes the loop a hundredth of a second. */
const pieceBytes = 2 * 1024 * 1024;

/**
 * Reads `size` bytes of a bytea column piece by piece, so that neither the loop nor memory has them all as text.
 * Null: the row that `where` names is gone.
 */
export async function readStoredBytes(
  executor: Executor,
  column: PgColumn,
  { where, size }: { where: SQL; size: number },
): Promise<Buffer | null> {
  const bytes = Buffer.allocUnsafe(size);
  for (let at = 0; at < size; at += pieceBytes) {
    // As bytea it would arrive in hexadecimal: half as long again, and slower to read.
    const [row] = await executor
      .select({
        piece: sql<string>`encode(substring(${column} from ${at + 1}::int for ${pieceBytes}::int), 'base64')`,
      })
      .from(column.table)
      .where(where);
    if (!row) return null;
    bytes.write(row.piece, at, "base64");
  }
  return bytes;
}
