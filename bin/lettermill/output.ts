import { report } from "@/bin/start/fault";
import { stopSignal } from "@/bin/start/signals";

interface OutputOptions {
  json?: boolean;
}

function line(label: string, value: unknown): string {
  return `${label}: ${typeof value === "string" ? value : JSON.stringify(value)}`;
}

/**
 * Runs a command and prints its result: with --json as JSON on one line and nothing else, otherwise as
 * `describe` formats it, by default one line per field. A fault is one sentence on stderr and exit code 1.
 */
export async function run<Result extends object>(
  options: OutputOptions,
  command: () => Promise<Result>,
  describe: (result: Result) => string = (result) =>
    Object.entries(result)
      .map(([label, value]) => line(label, value))
      .join("\n"),
): Promise<void> {
  // A command takes moments: the first Ctrl-C lets it finish and stop what it started.
  stopSignal();
  try {
    const result = await command();
    process.stdout.write(`${options.json ? JSON.stringify(result) : describe(result)}\n`);
    process.exitCode = 0;
  } catch (error) {
    report(error);
    process.exitCode = 1;
  }
}
