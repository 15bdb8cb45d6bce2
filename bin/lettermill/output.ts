import { report } from "@/bin/start/fault";
import { stopSignal } from "@/bin/start/signals";

interface OutputOptions {
  json?: boolean;
}

function line(label: string, value: unknown): string {
  return `${label}: ${typeof value === "string" ? value : JSON.stringify(value)}`;
}

/**
 * Runs a command and prints what it gives: with --json the JSON alone, on one line; otherwise
 * `readable` of it, by default a line for each of its fields. A fault is one sentence on stderr and exit 1.
 */
export async function run<Result extends object>(
  options: OutputOptions,
  command: () => Promise<Result>,
  readable: (result: Result) => string = (result) =>
    Object.entries(result)
      .map(([label, value]) => line(label, value))
      .join("\n"),
): Promise<void> {
  // A command takes moments: the first Ctrl-C lets it end and stop what it started.
  stopSignal();
  try {
    const result = await command();
    process.stdout.write(`${options.json ? JSON.stringify(result) : readable(result)}\n`);
    process.exitCode = 0;
  } catch (error) {
    report(error);
    process.exitCode = 1;
  }
}
