import { resolve } from "node:path";
import { Readable } from "node:stream";
import type postgres from "postgres";
import { diskStore } from "@/lib/domain/files/disk-store";
import { s3Store } from "@/lib/domain/files/s3-store";
import { withStaged } from "@/lib/domain/files/stage";
import { fileStore, type FileStore } from "@/lib/domain/files/store";
import { env } from "@/lib/ground/env/env";
import { Fault } from "@/bin/start/fault";

const noPlace =
  "The project has files: say with --files where the target keeps them (its DATA_DIR, its FILES, or shared).";

/** Whether files are kept there by this installation: what is removed here would be missing there. */
function isOurs(place: string): boolean {
  const { FILES, DATA_DIR } = env();
  return FILES === "disk" ? resolve(place) === resolve(DATA_DIR) : place === FILES;
}

/** Copies the bytes of a project's files, each once; one that is there already is left as it is. */
export class Files {
  readonly shared: boolean;
  readonly #to: FileStore | null;
  readonly #copied = new Set<string>();

  /**
   * `place`: `shared` (both installations keep files in one place), the other one's DATA_DIR, or its FILES; null if
   * nobody has said.
   */
  constructor(place: string | null) {
    this.shared = place === "shared" || (place !== null && isOurs(place));
    if (place === null || this.shared) this.#to = null;
    else this.#to = place.startsWith("s3://") ? s3Store(place) : diskStore(place);
  }

  get copied(): number {
    return this.#copied.size;
  }

  /** Throws a Fault for a project with files of which nobody has said where they go. */
  async check(from: postgres.Sql, projectId: string): Promise<void> {
    if (this.shared || this.#to) return;
    const [file] = await from`select 1 from files where project_id = ${projectId} limit 1`;
    if (file) throw new Fault(noPlace);
  }

  /** Those that the project has now. Throws a Fault for bytes that are missing or not what was uploaded. */
  async copy(from: postgres.Sql | postgres.TransactionSql, projectId: string): Promise<void> {
    if (this.shared) return;
    const to = this.#to;
    const files = await from<{ id: string; path: string; type: string; sha256: string }[]>`
      select id, path, content_type as type, encode(sha256, 'hex') as sha256 from files
      where project_id = ${projectId}`;
    if (files.length === 0) return;
    if (!to) throw new Fault(noPlace);
    for (const { id, path, type, sha256 } of files) {
      const key = `${projectId}/${id}`;
      if (this.#copied.has(key)) continue;
      if (!(await isThere(to, key))) {
        const bytes = await fileStore().read(key);
        if (!bytes) throw new Fault(`The file ${path} has no bytes here: delete it first.`);
        const stream = Readable.fromWeb(bytes as Parameters<typeof Readable.fromWeb>[0]);
        await withStaged(to.stagingFolder, stream, async (staged) => {
          if (staged.sha256.toString("hex") !== sha256) {
            throw new Fault(`The file ${path} is not what was uploaded: delete it first.`);
          }
          await to.put(key, staged, type);
        });
      }
      this.#copied.add(key);
    }
  }
}

async function isThere(store: FileStore, key: string): Promise<boolean> {
  const bytes = await store.read(key);
  await bytes?.cancel();
  return bytes !== null;
}
