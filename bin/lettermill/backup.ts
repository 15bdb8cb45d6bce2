import { resolve } from "node:path";
import type { Command } from "commander";
import { backUp } from "@/bin/backup/backup";
import { restore } from "@/bin/backup/restore";
import { dataDirectory, openDataDirectory } from "@/bin/start/data-dir";
import { acquireLock } from "@/bin/start/lock";
import { lockFile } from "@/bin/start/runtime";
import { readSettings } from "@/bin/start/settings";
import { withDatabase } from "./connection";
import { run } from "./output";

/** Adds `backup` and `restore`. */
export function backupCommands(program: Command, json: (command: Command) => Command): void {
  json(program.command("backup <folder>"))
    .description("back up the installation, while it runs, into a new folder")
    .action((folder: string, options: { json?: boolean }) =>
      run(
        options,
        () => {
          const embedded = readSettings().DATABASE_URL === undefined;
          return withDatabase((db) =>
            backUp(db, resolve(folder), { dataDir: dataDirectory(), embedded }),
          );
        },
        ({ kind }) =>
          `Backed up to ${resolve(folder)}: ${kind === "copy" ? "a copy of the embedded Postgres" : "a dump of the database"}. It holds secrets: keep it as safe as them.`,
      ),
    );
  json(program.command("restore <folder>"))
    .description("restore a backup into a DATA_DIR or a DATABASE_URL without data, and hold mail")
    .action((folder: string, options: { json?: boolean }) =>
      run(
        options,
        async () => {
          const { DATABASE_URL: url } = readSettings();
          const dataDir = openDataDirectory();
          const release = await acquireLock(lockFile(dataDir), "command", {
            waitSeconds: () => 0,
            refusal: (holder) => `DATA_DIR ${dataDir} is in use by process ${holder.pid}.`,
          });
          try {
            return await restore(resolve(folder), { dataDir, url });
          } finally {
            release();
          }
        },
        ({ createdAt }) =>
          `Restored the backup of ${createdAt}. Mail is held: \`lettermill mail status\` says what waits, \`lettermill mail go-on\` lets it go.`,
      ),
    );
}
