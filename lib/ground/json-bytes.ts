/** Of a string, an array or an object, and of each of its places. */
const valueBytes = 48;

/** Roughly the memory that a value of JSON takes: `[{},{}]` takes twenty times as much as its text. */
export function jsonBytes(value: unknown): number {
  const waiting = [value];
  let bytes = 0;
  while (waiting.length > 0) {
    const next = waiting.pop();
    bytes += valueBytes;
    if (typeof next === "string") bytes += 3 * next.length;
    else if (Array.isArray(next)) for (const item of next) waiting.push(item);
    else if (typeof next === "object" && next !== null) {
      for (const [key, member] of Object.entries(next)) {
        bytes += valueBytes + key.length;
        waiting.push(member);
      }
    }
  }
  return bytes;
}
