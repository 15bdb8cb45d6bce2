import { ByteBudget, type HeldBytes } from "@/lib/ground/byte-budget";
import { BytePace } from "@/lib/ground/byte-pace";
import { AppError } from "@/lib/ground/errors";

const megabyte = 1024 * 1024;
/** How long a request waits for room before it is told to come again; its body is not read meanwhile. */
const patienceMilliseconds = 5_000;

interface Intake {
  /** For bodies from their first byte until they are answered. Working on one takes about seven times as much. */
  room: ByteBudget;
  /** For large ones: a project that sends 40 MB again and again would have the processor for itself. */
  pace: BytePace;
}

const largestSmall = megabyte / 4;
// Next bundles modules more than once: these are the process's.
const holder = globalThis as { lettermillIntake?: Intake };

function intake(): Intake {
  return (holder.lettermillIntake ??= {
    room: new ByteBudget({ capacity: 96 * megabyte, smallCapacity: 32 * megabyte, largestSmall }),
    pace: new BytePace({ perSecond: 16 * megabyte, burst: 48 * megabyte }),
  });
}

/** How large a body may be: as long as it is said to be, or else as the limit. */
function largestSize({ headers }: Request, limit: number): number {
  const length = headers.get("content-length");
  if (length !== null) return Number(length) > limit ? 0 : Number(length);
  return headers.has("transfer-encoding") ? limit : 0;
}

/**
 * Room for the request's body, of at most `limit` bytes, on behalf of a project; null where there is
 * none. Throws UNAVAILABLE when others' bodies leave no room for a while,
 * and when the project's own large ones come faster than they are worked on.
 */
export async function roomForBody(
  request: Request,
  projectId: string,
  limit: number,
): Promise<HeldBytes | null> {
  const bytes = largestSize(request, limit);
  if (bytes === 0) return null;
  const { room, pace } = intake();
  const isInTime =
    bytes <= largestSmall || (await pace.take(projectId, bytes, patienceMilliseconds));
  const held =
    isInTime &&
    (room.tryTake(projectId, bytes) ??
      (await room.take(projectId, bytes, AbortSignal.timeout(patienceMilliseconds))));
  if (held) return held;
  throw new AppError(
    "UNAVAILABLE",
    "Too much is being sent at once. This request had no effect: send it again in a few seconds.",
  );
}
