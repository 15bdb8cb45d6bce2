import { readFile } from "node:fs/promises";

/** Length of a clock tick as the kernel counts, on every Linux (proc_pid_stat(5), USER_HZ). */
const tickMilliseconds = 10;

/** Processor time that a process has used, in milliseconds; null when this system does not tell. */
export async function processorTime(pid: number | undefined): Promise<number | null> {
  if (pid === undefined) return null;
  const stat = await readFile(`/proc/${pid}/stat`, "latin1").catch(() => null);
  if (stat === null) return null;
  // The second field is the program's name, in brackets; utime and stime are the 14th and the 15th.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[11]) + Number(fields[12])) * tickMilliseconds;
}
