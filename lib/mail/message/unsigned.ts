import { parseFields } from "./raw-message";

/** The message without those header fields whose names, in lower case, are to go. */
export function withoutFields(raw: Buffer, goes: (name: string) => boolean): Buffer {
  const end = raw.indexOf("\r\n\r\n");
  if (end < 0) return raw;
  const fields = parseFields(raw.subarray(0, end).toString("latin1"));
  if (!fields.some(({ name }) => goes(name))) return raw;
  const kept = fields.filter(({ name }) => !goes(name)).map(({ text }) => text);
  return Buffer.concat([Buffer.from(kept.join("\r\n"), "latin1"), raw.subarray(end)]);
}

/** The message without DKIM signatures, for a server that would make them wrong and signs anew. */
export function withoutSignatures(raw: Buffer): Buffer {
  return withoutFields(raw, (name) => name === "dkim-signature");
}
