/** npm and the terminal both forward Ctrl-C: two signals this close together are one key press. */
const sameKeyPressMilliseconds = 700;
const parentCheckMilliseconds = 250;

/**
 * A signal that aborts on SIGTERM, SIGINT, SIGHUP, and when the process that started this one is gone: the
 * launcher, or npm. A second one calls `force`, which by default ends the process at once.
 */
export function stopSignal(force: () => void = () => process.exit(1)): { signal: AbortSignal } {
  const controller = new AbortController();
  let first = 0;
  const stop = () => {
    if (!controller.signal.aborted) {
      first = Date.now();
      controller.abort();
    } else if (Date.now() - first > sameKeyPressMilliseconds) force();
  };
  for (const name of ["SIGTERM", "SIGINT", "SIGHUP"] as const) process.on(name, stop);
  if (process.channel) process.once("disconnect", stop);
  // A killed npm forwards nothing, and would leave the product running with nobody to stop it.
  else if (process.env.npm_lifecycle_event) {
    const parent = process.ppid;
    const watch = setInterval(() => {
      if (process.ppid === parent) return;
      clearInterval(watch);
      if (!controller.signal.aborted) stop();
    }, parentCheckMilliseconds).unref();
  }
  return { signal: controller.signal };
}
