import pino, { type Logger } from "pino";
import { env } from "@/lib/env";

const holder = globalThis as { lettermillLog?: Logger };

/** The process's logger: JSON lines on stderr. Tokens and addresses never go into it. */
export const log: Logger = (holder.lettermillLog ??= pino(
  {
    level: env().LOG_LEVEL,
    base: { pid: process.pid },
    redact: [
      "authorization",
      "cookie",
      "api_token",
      "*.authorization",
      "*.api_token",
    ],
  },
  pino.destination({ dest: 2, sync: true }),
));
