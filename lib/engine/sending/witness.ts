import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { assignments, columns } from "@/db/names";
import { dirname } from "node:path";
import { sql } from "drizzle-orm";
import { executePrepared, type Database } from "@/db/client";
import { installation } from "@/db/schema";
import { newUnownedId } from "@/lib/ground/ids/ids";
import { log } from "@/lib/ground/log";
import { holdMail } from "@/lib/domain/sending-state/hold";

/** A crash of Postgres may lose commits that it did not wait for. */
const beatsThatMayBeLost = 1;

/** What the file beside the data holds: which database was seen, by whom, and how often. */
interface Testimony {
  database: string;
  witness: string;
  beats: number;
}

/**
 * Counts in the database and in a file beside it. A database whose count is lower than the file's was restored from
 * a backup: mail it considers waiting may have been sent since, so all mail is held.
 */
export class Witness {
  readonly #db: Database;
  readonly #file: string;
  #testimony: Testimony | null = null;
  #unwritable = false;

  constructor(db: Database, file: string) {
    this.#db = db;
    this.#file = file;
  }

  /** Counts one more. Throws if the database does not accept it. */
  async beat(): Promise<void> {
    this.#testimony ??= await this.#read();
    // The state at the time of asking: what later beats have seen says nothing about a late answer.
    const before = this.#testimony;
    const { witness } = before ?? { witness: newUnownedId() };
    const [row] = await executePrepared<{ database: string; beats: number }>(
      this.#db,
      sql`with named as (
        insert into ${installation} (${columns(installation.key, installation.value)}) values ('database', ${newUnownedId()})
        on conflict (${columns(installation.key)}) do update set ${assignments(installation, {
          value: sql`${installation.value}`,
        })} returning ${installation.value}
      ), counted as (
        insert into ${installation} (${columns(installation.key, installation.value)}) values (${`witness/${witness}`}, '1')
        on conflict (${columns(installation.key)}) do update set ${assignments(installation, {
          value: sql`(${installation.value}::bigint + 1)::text`,
        })} returning ${installation.value}
      )
      select named.value as database, counted.value::int as beats from named, counted`,
    );
    if (!row) throw new Error("An insert returned no row.");
    if (before?.database === row.database && before.beats + 1 > row.beats + beatsThatMayBeLost) {
      await holdMail(this.#db, "restored");
    }
    const latest = this.#testimony;
    if (latest?.database === row.database && latest.beats > row.beats && latest !== before) return;
    this.#testimony = { ...row, witness };
    await this.#write(this.#testimony);
  }

  async #read(): Promise<Testimony | null> {
    try {
      return JSON.parse(await readFile(this.#file, "utf8")) as Testimony;
    } catch {
      // The first run, or a truncated file: nothing has been seen.
      return null;
    }
  }

  /**
   * A disk that cannot store the file does not stop mail: a restored database would go unnoticed, which is logged
   * once.
   */
  async #write(testimony: Testimony): Promise<void> {
    const fresh = `${this.#file}.${process.pid}`;
    try {
      await mkdir(dirname(this.#file), { recursive: true });
      await writeFile(fresh, JSON.stringify(testimony));
      await rename(fresh, this.#file);
      this.#unwritable = false;
    } catch (error) {
      if (this.#unwritable) return;
      this.#unwritable = true;
      const { code } = error as NodeJS.ErrnoException;
      log.warn(
        { file: this.#file, code },
        "The witness file cannot be written: a database restored from a backup would go unnoticed.",
      );
    }
  }
}
