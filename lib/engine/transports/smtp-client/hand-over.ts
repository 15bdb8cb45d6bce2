import type { Envelope, HandOver, Outcome } from "@/lib/mail/transport";
import type { SessionPool } from "./session-pool";

/** Hands one message over through one of the pool's sessions. Throws Unavailable when there is none. */
export async function handOver(
  pool: SessionPool,
  envelope: Envelope,
  raw: Buffer,
  { mayStart, lane }: HandOver,
): Promise<Outcome> {
  for (;;) {
    const connection = await pool.acquire(lane);
    if (!(await mayStart())) {
      pool.release(connection);
      return { kind: "withheld" };
    }
    const reused = connection.carried > 0;
    const outcome = await connection.deliver(envelope, raw);
    pool.release(connection);
    // Once MAIL FROM was taken, 421 is an answer to this mail, as from a receiver behind the server.
    const hungUp =
      outcome.kind === "lost" ||
      (outcome.kind === "refused" && outcome.stage === "sender" && outcome.reply.code === 421);
    // A server may end a session between two messages whenever it likes: a fresh one decides.
    if (reused && hungUp && !connection.messageWritten) continue;
    return outcome;
  }
}
