import { closeDatabase, database } from "@/db/client";
import { alignBuiltInDomains } from "@/lib/domain/sending-domains/built-in";
import { Fault, report } from "./start/fault";
import {
  adoptSettings,
  checkAppSecret,
  checkDatabase,
  checkSchema,
  settle,
} from "./start/settings";
import { stopSignal } from "./start/signals";

export type ProgramName = "web" | "worker" | "smtp";

export interface ProgramRun {
  /** Aborts when the program is to stop: finish what is under way, then return. */
  signal: AbortSignal;
  /** To be called when the program serves; `text` says where, for the terminal. */
  ready: (text?: string) => void;
}

const aliveMilliseconds = 3_000;

/** Tells the launcher that the event loop turns: when it hears no more of that, it starts the program anew. */
function sayAlive(): void {
  const say = () => process.connected && process.send?.({ type: "alive" }, () => {});
  setInterval(say, aliveMilliseconds).unref();
}

/**
 * Runs one program of the product until it is told to stop (SIGTERM, SIGINT, or its launcher is gone;
 * the second signal ends it at once). It gets settings, a reachable database with this release's schema
 * and the right APP_SECRET. A fault is one sentence on stderr and exit code 1.
 */
export async function runProgram(
  name: ProgramName,
  run: (program: ProgramRun) => Promise<void>,
): Promise<never> {
  process.title = `lettermill ${name}`;
  try {
    const { NODE_ENV } = adoptSettings();
    // Next and React read it from the environment.
    const url = settle({ NODE_ENV }).DATABASE_URL;
    if (!url) {
      throw new Fault(
        "DATABASE_URL is not set and no `npm start` runs on this DATA_DIR: one of them has to bring the database.",
      );
    }
    await checkDatabase(url);
    await checkSchema();
    await checkAppSecret();
    await alignBuiltInDomains(database());
    const { signal } = stopSignal();
    sayAlive();
    await run({ signal, ready: (text) => process.send?.({ type: "ready", text: text ?? "" }) });
    await closeDatabase();
    process.exit(0);
  } catch (error) {
    report(error);
    process.exit(1);
  }
}
