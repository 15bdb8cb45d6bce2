/** What `work` costs this thread, in milliseconds of its own time: a busy machine does not add to it. */
export function cpuMilliseconds(work: () => void): number {
  const before = process.threadCpuUsage();
  work();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000;
}
