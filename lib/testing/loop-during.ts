/** The longest stretch that `work` kept the loop busy, in milliseconds of the processor. */
export async function loopDuring(work: () => Promise<unknown>): Promise<number> {
  let [longest, before] = [0, process.threadCpuUsage()];
  const look = () => {
    const { user, system } = process.threadCpuUsage(before);
    longest = Math.max(longest, (user + system) / 1000);
    before = process.threadCpuUsage();
  };
  const timer = setInterval(look, 1);
  try {
    await work();
    // A stretch that ends the work leaves the timer no turn.
    look();
  } finally {
    clearInterval(timer);
  }
  return longest;
}
