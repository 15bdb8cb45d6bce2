import { parseFields } from "./raw-message";

/** The message without DKIM signatures, for a server that would make them wrong and signs anew. */
export function withoutSignatures(raw: Buffer): Buffer {
  const end = raw.indexOf("\r\n\r\n");
  if (end < 0) return raw;
  const fields = parseFields(raw.subarray(0, end).toString("latin1"));
  const kept = fields.filter(({ name }) => name !== "dkim-signature").map(({ text }) => text);
  return Buffer.concat([Buffer.from(kept.join("\r\n"), "latin1"), raw.subarray(end)]);
}
