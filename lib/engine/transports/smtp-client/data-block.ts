const crlf = Buffer.from("\r\n");

/** A message as DATA takes it: dots doubled, the final one at its end (RFC 5321, sections 4.1.1.4 and 4.5.2). */
export function dataBlock(raw: Buffer): Buffer[] {
  const end = raw.subarray(-2).equals(crlf) ? ".\r\n" : "\r\n.\r\n";
  return [stuffDots(raw), Buffer.from(end)];
}

/** Doubles the dot at the beginning of a line (RFC 5321, section 4.5.2). */
function stuffDots(raw: Buffer): Buffer {
  const parts: Buffer[] = [];
  let start = 0;
  if (raw[0] === 0x2e) parts.push(Buffer.from("."));
  for (let at = raw.indexOf("\n."); at >= 0; at = raw.indexOf("\n.", at + 2)) {
    parts.push(raw.subarray(start, at + 1), Buffer.from("."));
    start = at + 1;
  }
  return parts.length === 0 ? raw : Buffer.concat([...parts, raw.subarray(start)]);
}
