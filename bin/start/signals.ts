/** npm and the terminal both pass Ctrl-C on: what comes this close is the same key press. */
const sameKeyPressMilliseconds = 700;

/**
 * A signal that aborts on SIGTERM, SIGINT, SIGHUP, and when the launcher that started this process
 * has gone. A second one calls `force`, which by default ends the process at once.
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
  return { signal: controller.signal };
}
