/** Tells what this thread has used of the processor since, in milliseconds: a busy machine does not add to it. */
export function cpuClock(): () => number {
  const before = process.threadCpuUsage();
  return () => {
    const { user, system } = process.threadCpuUsage(before);
    return (user + system) / 1000;
  };
}

/** What `work` costs this thread, in milliseconds of its own time. */
export function cpuMilliseconds(work: () => void): number {
  const used = cpuClock();
  work();
  return used();
}
