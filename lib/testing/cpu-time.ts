/** Tells how much processor time this thread has used since, in ms, however busy the machine is. */
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
