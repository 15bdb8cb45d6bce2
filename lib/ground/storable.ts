const deepestJson = 32;

interface StorableFault {
  path: PropertyKey[];
  message: string;
}

/**
 * Why a value of JSON cannot be kept as it is, or why it would reach a prototype; null when it can be stored. The path
 * is only put together on the way back: bodies have far more values than faults.
 */
export function storableFault(value: unknown, depth = 0): StorableFault | null {
  if (typeof value === "string") return textFault(value);
  if (typeof value === "number") return numberFault(value);
  if (typeof value !== "object" || value === null) return null;
  if (depth >= deepestJson) {
    return { path: [], message: `is nested deeper than ${deepestJson} levels` };
  }
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index++) {
      const fault = storableFault(value[index], depth + 1);
      if (fault) return { ...fault, path: [index, ...fault.path] };
    }
    return null;
  }
  for (const key of Object.keys(value)) {
    if (key === "__proto__") return { path: [], message: "must not have a key __proto__" };
    const keyFault = textFault(key);
    if (keyFault) return keyFault;
    const fault = storableFault((value as Record<string, unknown>)[key], depth + 1);
    if (fault) return { ...fault, path: [key, ...fault.path] };
  }
  return null;
}

/** Beyond 2^53 whole numbers have become others when JSON was parsed, and 1e999 has become infinite. */
function numberFault(number: number): StorableFault | null {
  if (Number.isFinite(number) && !Number.isInteger(number)) return null;
  if (Number.isSafeInteger(number)) return null;
  return { path: [], message: "is too large for a number: send it as text" };
}

function textFault(text: string): StorableFault | null {
  if (text.includes("\0")) return { path: [], message: "must not contain NUL (U+0000)" };
  return text.isWellFormed() ? null : { path: [], message: "must not contain lone surrogates" };
}
