import pino, { type Logger } from "pino";
import { logLevel } from "./env/env";

const holder = globalThis as { lettermillLog?: Logger };

/** The process's logger: JSON lines on stderr. Tokens and addresses never go into it. */
export const log: Logger = (holder.lettermillLog ??= pino(
  {
    // Importing this must not throw: a wrong setting is reported where the settings are read.
    level: logLevel.safeParse(process.env["LOG_LEVEL"]).data ?? "info",
    base: { pid: process.pid },
    redact: [
      ...["authorization", "cookie", "api_token", "*.authorization", "*.api_token"],
      // An address that cannot be parsed appears in full in the error about it.
      "err.input",
    ],
  },
  pino.destination({ dest: 2, sync: true }),
));
