import type { Transaction } from "@/db/client";
import {
  addressSuppressionReasons,
  type AddressSuppressionReason,
  type SuppressionReason,
} from "@/db/enums";
import { suppressions } from "@/db/schema";
import { recordsOf } from "@/lib/domain/imports/stage";
import { withUploadedFile } from "@/lib/domain/imports/upload";
import { audit } from "@/lib/ground/audit";
import { requireRole, type Context } from "@/lib/ground/context";
import { originalCell } from "@/lib/ground/csv";
import type { CsvRecord } from "@/lib/ground/csv-records";
import { AppError, invalid } from "@/lib/ground/errors";
import { newId } from "@/lib/ground/ids/ids";
import { domainOfSubject, normalizeSubject, type SuppressionImport } from "./schema";

const mostRows = 1_000_000;
const refusedRowsTold = 100;
/**
 * Headings of the address column in other products' exports: Mailgun, SendGrid, Postmark, Amazon SES, Mailchimp.
 */
const addressHeading = /^(e-?mail|(e-?mail )?address|emailaddress|recipient)$/i;

interface Columns {
  email: number;
  /** -1: there is none. */
  reason: number;
}

const textOf = (cell: string | undefined) => originalCell(cell ?? "").trim();

/** What the cells of the first line mean; null when the line is itself an address, in a file without a header. */
function columnsOf(cells: readonly string[]): Columns | null {
  const names = cells.map(textOf);
  const email = names.findIndex((name) => addressHeading.test(name));
  if (email >= 0) return { email, reason: names.findIndex((name) => /^reason$/i.test(name)) };
  if (names.length === 1 && normalizeSubject(names[0] ?? "")) return null;
  throw invalid("file", "has no column named email in its first line");
}

interface Addition {
  email: string;
  reason: SuppressionReason;
}

/** What a file adds, row by row. */
class Reader {
  readonly refusedRows: SuppressionImport["refusedRows"] = [];
  rows = 0;
  refused = 0;
  #columns: Columns | undefined;

  constructor(private readonly fallback: AddressSuppressionReason) {}

  /** The suppressions in a batch of records; those without an address are remembered as refused. */
  read(records: readonly CsvRecord[]): Addition[] {
    return records.flatMap<Addition>(({ cells, fault, line }) => {
      if (this.#columns === undefined) {
        if (fault !== null) throw invalid("file", `is not valid CSV: line ${line} ${fault}`);
        const columns = columnsOf(cells);
        this.#columns = columns ?? { email: 0, reason: -1 };
        if (columns) return [];
      }
      if (++this.rows > mostRows) {
        throw new AppError(
          "PAYLOAD_TOO_LARGE",
          `The file has more than ${mostRows} rows. Split it.`,
        );
      }
      const text = textOf(cells[this.#columns.email]);
      const email = normalizeSubject(text);
      if (fault === null && email) {
        if (domainOfSubject(email)) return [{ email, reason: "domain" }];
        const word = textOf(cells[this.#columns.reason]).toLowerCase();
        const reason = addressSuppressionReasons.find((listed) => listed === word);
        return [{ email, reason: reason ?? this.fallback }];
      }
      this.refused++;
      const reason = fault ?? (text ? "is not an email address" : "has no email address");
      if (this.refusedRows.length < refusedRowsTold) {
        this.refusedRows.push({ line, email: text.slice(0, 320), reason });
      }
      return [];
    });
  }
}

async function add(
  tx: Transaction,
  projectId: string,
  additions: readonly Addition[],
): Promise<number> {
  if (additions.length === 0) return 0;
  const rows = await tx
    .insert(suppressions)
    .values(additions.map((row) => ({ id: newId(projectId), projectId, ...row })))
    .onConflictDoNothing()
    .returning({ id: suppressions.id });
  return rows.length;
}

/**
 * Suppresses the addresses and domains of a CSV: a column `email`, optionally one `reason`, or just lines of
 * addresses. All of it or, when it cannot be read, nothing; existing suppressions stay as they are. Needs editor.
 */
export async function importSuppressions(
  ctx: Context,
  file: AsyncIterable<Uint8Array>,
  { reason }: { reason: AddressSuppressionReason },
): Promise<SuppressionImport> {
  requireRole(ctx, "editor");
  return withUploadedFile(file, (uploaded) =>
    ctx.db.transaction(async (tx) => {
      const reader = new Reader(reason);
      let added = 0;
      for await (const records of recordsOf(uploaded)) {
        added += await add(tx, ctx.projectId, reader.read(records));
      }
      const { rows, refused, refusedRows } = reader;
      if (rows === 0) throw invalid("file", "holds no addresses");
      const counts = { added, known: rows - refused - added, refused };
      await audit(tx, ctx, "import.suppressions", null, counts);
      return { ...counts, refusedRows };
    }),
  );
}
