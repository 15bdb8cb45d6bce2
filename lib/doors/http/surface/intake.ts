import { ByteBudget, type HeldBytes } from "@/lib/ground/byte-budget";
import { BytePace } from "@/lib/ground/byte-pace";
import { AppError } from "@/lib/ground/errors";
import type { NodeBindings } from "./client-address";

const megabyte = 1024 * 1024;
/** How long a request waits for room before it is told to come back; its body is not read meanwhile. */
const patienceMilliseconds = 5_000;

interface Intake {
  /** For bodies from their first byte until they are answered. Working on one takes about seven times as much. */
  room: ByteBudget;
  /** For large ones: a project that sends 40 MB again and again would have the processor to itself. */
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

/** How large a body may be: as large as it is declared to be, or else as the limit. */
function largestSize({ headers }: Request, limit: number): number {
  const length = headers.get("content-length");
  if (length !== null) return Number(length) > limit ? 0 : Number(length);
  return headers.has("transfer-encoding") ? limit : 0;
}

interface Body {
  request: Request;
  /** Present where there is a connection. */
  bindings: NodeBindings | undefined;
  projectId: string;
  /** Bytes at most. */
  limit: number;
}

/**
 * Room for a request's body on behalf of its project; null where there is none. Throws UNAVAILABLE when others'
 * bodies leave no room for a while, and when the project's own large ones come faster than they are worked on.
 */
export async function roomForBody(body: Body): Promise<HeldBytes | null> {
  const { request, projectId } = body;
  const bytes = largestSize(request, body.limit);
  if (bytes === 0) return null;
  const { room, pace } = intake();
  const isDeclared = request.headers.has("content-length");
  const isInTime =
    bytes <= largestSmall ||
    (await pace.take(projectId, isDeclared ? bytes : 0, patienceMilliseconds));
  const held =
    isInTime &&
    (room.tryTake(projectId, bytes) ??
      (await room.take(projectId, bytes, AbortSignal.timeout(patienceMilliseconds))));
  if (held) return isDeclared ? held : chargedAtEnd(held, body);
  throw new AppError(
    "UNAVAILABLE",
    "Too much is being sent at once. This request had no effect: send it again in a few seconds.",
  );
}

/** What has come over the connection meanwhile counts towards the pace if a body did not declare its length. */
function chargedAtEnd(held: HeldBytes, { bindings, projectId }: Body): HeldBytes {
  const received = () => bindings?.incoming?.socket.bytesRead ?? 0;
  const before = received();
  return {
    shrinkTo: (bytes) => held.shrinkTo(bytes),
    release: () => {
      held.release();
      const bytes = received() - before;
      if (bytes > largestSmall) intake().pace.charge(projectId, bytes);
    },
  };
}
