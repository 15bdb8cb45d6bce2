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

/** What `work` costs this thread, in milliseconds of its own time, with whatever else runs on it meanwhile. */
export async function costOf(work: () => Promise<unknown>): Promise<number> {
  const used = cpuClock();
  await work();
  return used();
}

/**
 * What `work` costs as a share of what `other` costs, each at its best of several tries side by side, until that is
 * below `enough`: a machine that gives a program less for a while adds to a cost, and never takes from it.
 */
export async function shareOfCost(
  work: () => Promise<number>,
  { of: other, enough }: { of: () => Promise<number>; enough: number },
): Promise<number> {
  const costs = [await other(), await other()];
  let share = Infinity;
  let least = Infinity;
  for (let tries = 0; tries < 10 && share >= enough; tries++) {
    costs.push(await other());
    least = Math.min(least, await work());
    share = least / Math.min(...costs);
  }
  return share;
}
