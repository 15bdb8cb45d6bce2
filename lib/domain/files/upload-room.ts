import { mkdir, readdir, rm, stat, statfs } from "node:fs/promises";
import { join } from "node:path";
import { ByteBudget, type HeldBytes } from "@/lib/ground/byte-budget";
import { AppError } from "@/lib/ground/errors";

const megabyte = 1024 ** 2;
/** Of the disk, for all uploads of a process that are under way; one project gets half. */
const mostStaged = 8 * 1024 * megabyte;
/** How many uploads are under way in a process; of one project half. */
const mostUploads = 64;
/** An upload counts in steps of this size. */
const step = megabyte;
/** How often it is looked how full the disk is, in steps. */
const stepsBetweenLooks = 16;
/** What uploads leave of the disk to everything else: a share, and no more than this. */
const [reservedShare, mostReserved] = [0.05, 2 * 1024 * megabyte];
/** How long an upload waits for one of the places. */
const patienceMilliseconds = 5_000;
/** What is under way for longer gives way to projects that hold less, where there is no room. */
const safeMilliseconds = 60_000;
/** An upload ends within an hour: a file that nobody has written to for this long has lost its process. */
const leftoverMilliseconds = 2 * 3_600_000;

// Next bundles modules more than once: these are the process's.
const holder = globalThis as {
  lettermillUploads?: { places: ByteBudget; disk: ByteBudget; lookedForLeftovers: number };
};

function rooms() {
  const none = { smallCapacity: 0, largestSmall: 0 };
  return (holder.lettermillUploads ??= {
    places: new ByteBudget({ ...none, capacity: mostUploads }),
    disk: new ByteBudget({ ...none, capacity: mostStaged }),
    lookedForLeftovers: -Infinity,
  });
}

const noRoom = () =>
  new AppError(
    "UNAVAILABLE",
    "Too much is being uploaded at once. Nothing of this file was kept: send it again in a minute.",
  );

async function leaveRoomForOthers(folder: string): Promise<void> {
  const { bavail, blocks, bsize } = await statfs(folder);
  if (bavail * bsize >= Math.min(blocks * bsize * reservedShare, mostReserved)) return;
  throw new AppError(
    "UNAVAILABLE",
    "The server's disk is nearly full, so it takes no files at the moment. Nothing of this file was kept.",
  );
}

/** Removes what processes that died left behind, looking once in a while. */
async function dropLeftovers(folder: string): Promise<void> {
  const state = rooms();
  if (performance.now() - state.lookedForLeftovers < leftoverMilliseconds) return;
  state.lookedForLeftovers = performance.now();
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    // Another process may have removed it meanwhile.
    const file = await stat(path).catch(() => null);
    if (file && Date.now() - file.mtimeMs > leftoverMilliseconds) await rm(path, { force: true });
  }
}

/**
 * Gives work a file on its way to the folder, with room on the disk until the work ends. Throws UNAVAILABLE, also
 * where the file is read, when too much is being uploaded for the project (uuid) or for all, when what has long been
 * under way gives way to another project's, and when the disk is nearly full.
 */
export async function withUploadRoom<Result>(
  { projectId, folder }: { projectId: string; folder: string },
  source: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  work: (file: AsyncIterable<Uint8Array>) => Promise<Result>,
): Promise<Result> {
  const lost = Promise.withResolvers<never>();
  // Nobody reads it while nothing is read.
  lost.promise.catch(() => {});
  const yields = { safeMilliseconds, giveWay: () => lost.reject(noRoom()) };
  await mkdir(folder, { recursive: true });
  await dropLeftovers(folder);
  await leaveRoomForOthers(folder);
  const { places, disk } = rooms();
  const patience = AbortSignal.timeout(patienceMilliseconds);
  const place = await places.take(projectId, 1, patience, yields);
  if (!place) throw noRoom();
  const held = disk.tryTake(projectId, step, yields);
  try {
    if (!held) throw noRoom();
    return await work(arriving(source, { place, held, folder, lost: lost.promise }));
  } finally {
    held?.release();
    place.release();
  }
}

async function* arriving(
  source: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  room: { place: HeldBytes; held: HeldBytes; folder: string; lost: Promise<never> },
): AsyncGenerator<Uint8Array> {
  const chunks = iteratorOf(source);
  let size = 0;
  let counted = step;
  let isLost = false;
  room.lost.catch(() => (isLost = true));
  try {
    for (;;) {
      // Whoever sends nothing any more gives way, too.
      const next = await Promise.race([room.lost, chunks.next()]);
      if (next.done) break;
      for (size += next.value.byteLength; counted < size; counted += step) {
        if (!room.held.tryGrow(step)) throw noRoom();
        if ((counted / step) % stepsBetweenLooks === 0) await leaveRoomForOthers(room.folder);
      }
      yield next.value;
    }
    room.held.keep();
    room.place.keep();
  } finally {
    // One that still waits for its next piece ends with it.
    const ended = Promise.resolve(chunks.return?.()).catch(() => {});
    if (!isLost) await ended;
  }
}

function iteratorOf(source: AsyncIterable<Uint8Array> | Iterable<Uint8Array>) {
  return Symbol.asyncIterator in source
    ? source[Symbol.asyncIterator]()
    : source[Symbol.iterator]();
}
