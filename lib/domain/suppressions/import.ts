import { sql } from "drizzle-orm";
import {
  addressSuppressionReasons,
  type AddressSuppressionReason,
  type SuppressionReason,
} from "@/db/enums";
import { retryConflicts } from "@/db/errors";
import { insertSelected, newIdOf } from "@/db/names";
import { suppressions } from "@/db/schema";
import { now } from "@/db/schema/columns";
import { changedBy } from "@/lib/domain/contacts/consent-changes";
import { recordsOf } from "@/lib/domain/imports/stage";
import { withUploadedFile } from "@/lib/domain/imports/upload";
import { audit } from "@/lib/ground/audit";
import { requireRole, type Context } from "@/lib/ground/context";
import { originalCell } from "@/lib/ground/csv";
import type { CsvRecord } from "@/lib/ground/csv-records";
import { AppError, invalid } from "@/lib/ground/errors";
import { projectTurns } from "@/lib/ground/project-turns";
import { storableText } from "@/lib/ground/storable-text";
import { domainOfSubject, normalizeSubject, type SuppressionImport } from "./schema";
import { toldDate } from "./told-date";

const mostRows = 1_000_000;
const refusedRowsTold = 100;
/**
 * Headings of the address column in other products' exports: Mailgun, SendGrid, Postmark, Amazon SES, Mailchimp.
 */
const addressHeading = /^(e-?mail|(e-?mail )?address|emailaddress|recipient)$/i;

/** The same of the server's words and of dates. */
const wordsHeading = /^(response|error|description|details)$/i;
const dateHeading = /^(created(_?at)?|date|timestamp)$/i;
/** Words of a server in a column for reasons, as in SendGrid's exports. */
const reply = /^[45]\d\d[ -]/;
const longestWords = 2_000;

/** -1: there is none. */
interface Columns {
  email: number;
  reason: number;
  words: number;
  date: number;
}

const textOf = (cell: string | undefined) => originalCell(cell ?? "").trim();

/** What the cells of the first line mean; null when the line is itself an address, in a file without a header. */
function columnsOf(cells: readonly string[]): Columns | null {
  const names = cells.map(textOf);
  const email = names.findIndex((name) => addressHeading.test(name));
  const place = (heading: RegExp) => names.findIndex((name) => heading.test(name));
  if (email >= 0) {
    const [reason, words, date] = [place(/^reason$/i), place(wordsHeading), place(dateHeading)];
    return { email, reason, words, date };
  }
  if (names.length === 1 && normalizeSubject(names[0] ?? "")) return null;
  throw invalid("file", "has no column named email in its first line");
}

interface Addition {
  email: string;
  reason: SuppressionReason;
  response: string | null;
  /** Absent: now. */
  createdAt?: Date;
}

/** What a row tells of when and why its subject was suppressed, where it is known. */
function toldOf(cells: readonly string[], columns: Columns): Omit<Addition, "email" | "reason"> {
  const reason = textOf(cells[columns.reason]);
  const words = textOf(cells[columns.words]) || (reply.test(reason) ? reason : "");
  const date = toldDate(textOf(cells[columns.date]));
  return {
    response: storableText(words.slice(0, longestWords)) || null,
    ...(date && { createdAt: date }),
  };
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
        this.#columns = columns ?? { email: 0, reason: -1, words: -1, date: -1 };
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
        const told = toldOf(cells, this.#columns);
        if (domainOfSubject(email)) return [{ email, reason: "domain", ...told }];
        const word = textOf(cells[this.#columns.reason]).toLowerCase();
        const reason = addressSuppressionReasons.find((listed) => listed === word);
        return [{ email, reason: reason ?? this.fallback, ...told }];
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

/** What one statement adds: few enough that whoever adds one of the same addresses waits for it shortly. */
const rowsAtOnce = 2_000;

/** Adds them in one order, so that two files with the same addresses do not wait for each other. */
async function add(ctx: Context, additions: readonly Addition[]): Promise<number> {
  const { db, projectId } = ctx;
  const { origin, actorId } = changedBy(ctx);
  const emails = sql.param(additions.map(({ email }) => email));
  const reasons = sql.param(additions.map(({ reason }) => reason));
  const responses = sql.param(additions.map(({ response }) => response));
  const dates = sql.param(additions.map(({ createdAt }) => createdAt?.toISOString() ?? null));
  const rows = await retryConflicts(() =>
    db.execute(sql`
      ${insertSelected(suppressions, {
        id: newIdOf(sql`${projectId}::uuid`),
        projectId: sql`${projectId}::uuid`,
        email: sql`given.email`,
        reason: sql`given.reason`,
        response: sql`given.response`,
        source: sql`${"import"}`,
        origin: sql`${origin}`,
        actorId: sql`${actorId}::uuid`,
        createdAt: sql`coalesce(given.created_at::timestamptz, ${now})`,
      })} from unnest(${emails}::text[], ${reasons}::text[], ${responses}::text[], ${dates}::text[])
        with ordinality as given(email, reason, response, created_at, place)
      order by lower(given.email), given.place on conflict do nothing returning 1 as one`),
  );
  return rows.length;
}

/** A file's text is read by few at a time in this process: reading takes its processor, writing a connection. */
const inTurn = projectTurns(4);

/**
 * Suppresses the addresses and domains of a CSV: a column `email`, optionally `reason`, the server's words
 * (`response`) and a date (`createdAt`), or just lines of addresses. Nothing when it cannot be read; existing
 * suppressions stay as they are. It is written in short transactions: where the database fails in between, what was
 * added stays, and the same file may be sent again. Needs editor. Throws VALIDATION_ERROR, PAYLOAD_TOO_LARGE.
 */
export async function importSuppressions(
  ctx: Context,
  file: AsyncIterable<Uint8Array>,
  { reason }: { reason: AddressSuppressionReason },
): Promise<SuppressionImport> {
  requireRole(ctx, "editor");
  return withUploadedFile(ctx.projectId, file, (uploaded) =>
    inTurn(ctx.projectId, async () => {
      const reader = new Reader(reason);
      for await (const records of recordsOf(uploaded)) reader.read(records);
      const { rows, refused, refusedRows } = reader;
      if (rows === 0) throw invalid("file", "holds no addresses");
      const writer = new Reader(reason);
      let added = 0;
      try {
        for await (const records of recordsOf(uploaded)) {
          const additions = writer.read(records);
          for (let from = 0; from < additions.length; from += rowsAtOnce) {
            added += await add(ctx, additions.slice(from, from + rowsAtOnce));
          }
        }
      } catch (error) {
        if (added > 0) await audit(ctx.db, ctx, "import.suppressions", null, { added });
        throw error;
      }
      const counts = { added, known: rows - refused - added, refused };
      await audit(ctx.db, ctx, "import.suppressions", null, counts);
      return { ...counts, refusedRows };
    }),
  );
}
