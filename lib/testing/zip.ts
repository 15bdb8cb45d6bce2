/** The files of a ZIP whose entries are stored as they are, by its central directory; throws for anything else. */
export function readZip(bytes: Buffer): Map<string, string> {
  const end = bytes.lastIndexOf(Buffer.from("PK\x05\x06", "latin1"));
  if (end < 0) throw new Error("This is no ZIP.");
  const entries = new Map<string, string>();
  let at = bytes.readUInt32LE(end + 16);
  for (let left = bytes.readUInt16LE(end + 10); left > 0; left--) {
    if (bytes.readUInt32LE(at) !== 0x02014b50) throw new Error("An entry is missing.");
    if (bytes.readUInt16LE(at + 10) !== 0) throw new Error("An entry is compressed.");
    const size = bytes.readUInt32LE(at + 24);
    const nameLength = bytes.readUInt16LE(at + 28);
    const more = bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32);
    const local = bytes.readUInt32LE(at + 42);
    const from = local + 30 + bytes.readUInt16LE(local + 26) + bytes.readUInt16LE(local + 28);
    entries.set(
      bytes.toString("utf8", at + 46, at + 46 + nameLength),
      bytes.toString("utf8", from, from + size),
    );
    at += 46 + nameLength + more;
  }
  return entries;
}
