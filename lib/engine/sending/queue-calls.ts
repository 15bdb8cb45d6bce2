import type { Database } from "@/db/client";
import { coalesce } from "@/lib/ground/coalesce";
import type { ClaimedEmail } from "./claim";
import {
  parkEmails,
  parkHeldUp,
  postponeEmails,
  releaseEmails,
  type HeldBack,
  type HeldUp,
  type Postponed,
} from "./leases";
import { recordResults } from "./record";
import type { DeliveryResult } from "./result";

/** How many bytes of captured messages one statement writes, unless it is a single message. */
const largestCaptured = 4_000_000;
/** Otherwise a slow server would cost a statement and a commit for each mail. */
const recordEveryMilliseconds = 20;
const recordAtOnce = 6;
const capturedBytes = ({ captured }: DeliveryResult) => captured?.raw.length ?? 0;

/** What a dispatcher asks the queue for one email at a time; concurrent calls share a statement. */
export class QueueCalls {
  /** Whether the email was still ours, and its result is recorded. */
  readonly record: (result: DeliveryResult) => Promise<boolean>;
  /** Due again at once, for anybody. */
  readonly release: (email: ClaimedEmail) => Promise<null>;
  /** Due again after a while. */
  readonly postpone: (postponed: Postponed) => Promise<null>;
  /** Due again when its sender's pause ends. */
  readonly park: (heldBack: HeldBack) => Promise<null>;
  /** Due again when its connection is no longer held. */
  readonly parkHeldUp: (heldUp: HeldUp) => Promise<null>;

  constructor(db: Database) {
    this.record = coalesce(
      async (results: DeliveryResult[]) => {
        const ids = await recordResults(db, results);
        return results.map(({ email }) => ids.has(email.id));
      },
      {
        concurrency: 1,
        largestBatch: 128,
        weigh: capturedBytes,
        largestWeight: largestCaptured,
        pauseMilliseconds: recordEveryMilliseconds,
        enough: recordAtOnce,
      },
    );
    this.release = coalesce(
      async (emails: ClaimedEmail[]) => {
        await releaseEmails(db, emails);
        return emails.map(() => null);
      },
      { concurrency: 1 },
    );
    this.postpone = coalesce(
      async (postponed: Postponed[]) => {
        await postponeEmails(db, postponed);
        return postponed.map(() => null);
      },
      { concurrency: 1 },
    );
    this.park = coalesce(
      async (parked: HeldBack[]) => {
        await parkEmails(db, parked);
        return parked.map(() => null);
      },
      { concurrency: 1 },
    );
    this.parkHeldUp = coalesce(
      async (parked: HeldUp[]) => {
        await parkHeldUp(db, parked);
        return parked.map(() => null);
      },
      { concurrency: 1 },
    );
  }
}
