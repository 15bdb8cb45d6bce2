import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const libraries = "/usr/lib";
const withinLibraries = "faketime/libfaketime.so.1";

/** libfaketime, wherever the system has it; null: it is not installed. */
function findLibrary(): string | null {
  const folders = existsSync(libraries) ? readdirSync(libraries) : [];
  const paths = ["", ...folders].map((folder) => join(libraries, folder, withinLibraries));
  return paths.find((path) => existsSync(path)) ?? null;
}

/** A clock of programs that are started with its settings; it can be put forward and back while they run. */
export class FakedClock {
  /** What a program needs in its environment to live by it. */
  readonly env: Record<string, string>;
  readonly #file: string;

  constructor(library: string, folder: string, name: string) {
    this.#file = join(folder, name);
    this.set(0);
    this.env = {
      LD_PRELOAD: library,
      FAKETIME_TIMESTAMP_FILE: this.#file,
      FAKETIME_CACHE_DURATION: "1",
      // A clock that is wrong, or put right, does not change how long a second lasts.
      FAKETIME_DONT_FAKE_MONOTONIC: "1",
    };
  }

  /** From within a second on, it is so many seconds ahead; negative: behind. */
  set(seconds: number): void {
    writeFileSync(this.#file, `${seconds < 0 ? "" : "+"}${seconds}\n`);
  }
}

/** Whether a program lives by it: some builds of Node do not. */
function works(clock: FakedClock): boolean {
  const ahead = 600;
  clock.set(ahead);
  const env = { ...process.env, ...clock.env };
  const seen = execFileSync(process.execPath, ["-p", "Date.now()"], { env });
  clock.set(0);
  return Math.abs(Number(seen) - Date.now() - ahead * 1_000) < 60_000;
}

/** Clocks of these names, all right at first, and what clears them away; or why there are none. */
export function makeClocks<Name extends string>(
  names: readonly Name[],
): { clocks: Record<Name, FakedClock>; clear: () => void } | { why: string } {
  const library = findLibrary();
  if (!library) return { why: "libfaketime is not installed (on Debian: the package faketime)." };
  const folder = mkdtempSync(join(tmpdir(), "lettermill-clocks-"));
  const made = names.map((name) => [name, new FakedClock(library, folder, name)] as const);
  const clear = () => rmSync(folder, { recursive: true });
  const [first] = made;
  if (first && !works(first[1])) {
    clear();
    return { why: "libfaketime does not move this Node's clock." };
  }
  return { clocks: Object.fromEntries(made) as Record<Name, FakedClock>, clear };
}
