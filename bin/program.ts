import { closeDatabase, database } from "@/db/client";
import { env } from "@/lib/ground/env/env";
import { encodeId } from "@/lib/ground/ids/ids";
import { labelOf, parseProvider } from "@/lib/ground/providers/settings";
import { log } from "@/lib/ground/log";
import { closeReplica } from "@/lib/ground/replica";
import { alignBuiltInDomains } from "@/lib/domain/sending-domains/built-in";
import { addressOf, Fault, report } from "./start/fault";
import {
  adoptSettings,
  checkAppSecret,
  checkDatabase,
  checkSchema,
  settle,
} from "./start/settings";
import { releaseOf } from "./watch/release";
import { startWatch } from "./watch/server";
import { startTraces } from "./watch/traces";
import { stopSignal } from "./start/signals";

export type ProgramName = "web" | "worker" | "smtp";

export interface ProgramRun {
  /** Aborts when the program is to stop: finish what is under way, then return. */
  signal: AbortSignal;
  /** To be called once the program serves; `text` says where, for the terminal. */
  ready: (text?: string) => void;
}

const aliveMilliseconds = 3_000;

/** Tells the launcher that the event loop is turning: without this it restarts the program. */
function sayAlive(): void {
  const say = () => process.connected && process.send?.({ type: "alive" }, () => {});
  setInterval(say, aliveMilliseconds).unref();
}

/** A worker's part as its settings name it. */
const listed = ({ names, inverted }: { names: readonly string[]; inverted: boolean }) =>
  `${inverted ? "all but " : ""}${names.join(", ")}`;

/** What an operator wants to know about a program first; without credentials. */
function sayWhatRuns(program: ProgramName, places: Record<string, string>): void {
  const { APP_URL, DATABASE_URL = "", MAIL_TRANSPORT, FILES } = env();
  const { OTEL_EXPORTER_OTLP_ENDPOINT: traces } = env();
  const { WORKER_PROJECTS: projects, WORKER_PROVIDERS: providers } = env();
  const provider = parseProvider(MAIL_TRANSPORT);
  const server = URL.canParse(MAIL_TRANSPORT) ? new URL(MAIL_TRANSPORT).host : MAIL_TRANSPORT;
  const mail = provider ? labelOf(provider) : server;
  // Not needed under a launcher, which prints the same in words.
  log[process.connected ? "debug" : "info"](
    {
      program,
      version: releaseOf(),
      node: process.version,
      ...places,
      url: APP_URL,
      database: addressOf(DATABASE_URL),
      mail,
      files: FILES === "disk" ? FILES : new URL(FILES).hostname,
      ...(traces && { traces: new URL(traces).host }),
      ...(program === "worker" &&
        projects && {
          projects: listed({
            ...projects,
            names: projects.names.map((id) => encodeId("project", id)),
          }),
        }),
      ...(program === "worker" && providers && { providers: listed(providers) }),
    },
    "The program runs.",
  );
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
    const [watch, traces] = [await startWatch(name), await startTraces(name)];
    const ready = (text = "") => {
      if (process.connected) process.send?.({ type: "ready", text });
      sayWhatRuns(name, { ...(text ? { listens: text } : {}), ...(watch && { watch: watch.at }) });
    };
    await run({ signal, ready });
    await Promise.all([watch?.stop(), traces?.stop()]);
    await Promise.all([closeDatabase(), closeReplica()]);
    process.exit(0);
  } catch (error) {
    report(error);
    process.exit(1);
  }
}
