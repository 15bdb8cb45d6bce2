/** Where the browser cannot tell, this is how long a page may need at first. */
const usualMs = 300;
const longestMs = 2_000;

/** Runs `work` once the browser has nothing more urgent to do, or in two seconds. Returns how to call it off. */
export function whenIdle(work: () => void): () => void {
  if ("requestIdleCallback" in window) {
    const asked = requestIdleCallback(work, { timeout: longestMs });
    return () => cancelIdleCallback(asked);
  }
  const timer = setTimeout(work, usualMs);
  return () => clearTimeout(timer);
}
