const longestLine = 76;
const [tab, lf, cr, space, dot, equals] = [0x09, 0x0a, 0x0d, 0x20, 0x2e, 0x3d];
const hex = Buffer.from("0123456789ABCDEF");

/** 1 for bytes that stand for themselves anywhere on a line. */
const literal = new Uint8Array(256);
for (let byte = 0x21; byte <= 0x7e; byte++) literal[byte] = byte === equals ? 0 : 1;
/** 1 for bytes that stand for themselves within a line. */
const withinLine = literal.slice();
withinLine[space] = 1;
withinLine[tab] = 1;

function isBlank(byte: number | undefined): boolean {
  return byte === space || byte === tab;
}

function endsLine(next: number | undefined): boolean {
  return next === undefined || next === lf || next === cr;
}

/**
 * A text as quoted-printable UTF-8 (RFC 2045, section 6.7), in one pass. Any line break becomes CRLF; a
 * dot at the start of a line is encoded, so that SMTP need not double it.
 */
export function encodeQuotedPrintable(text: string): string {
  const input = Buffer.from(text, "utf8");
  // At most three characters per byte, and three more for each soft line break.
  const output = Buffer.allocUnsafe(input.length * 3 + Math.ceil((input.length * 9) / 73) + 8);
  let out = 0;
  let column = 0;
  for (let at = 0; at < input.length; at++) {
    // This covers most bytes: a run that stands for itself, up to where the line may have to be broken.
    if (column > 0) {
      const runEnd = Math.min(input.length, at + longestLine - 1 - column);
      const runStart = at;
      while (at < runEnd && withinLine[input[at] ?? 0] === 1) output[out++] = input[at++] ?? 0;
      if (at > runStart && isBlank(input[at - 1]) && endsLine(input[at])) {
        at--;
        out--;
      }
      column += at - runStart;
      if (at === input.length) break;
    }
    const byte = input[at] ?? 0;
    if (byte === lf || byte === cr) {
      if (byte === cr && input[at + 1] === lf) at++;
      output[out++] = cr;
      output[out++] = lf;
      column = 0;
      continue;
    }
    const next = input[at + 1];
    const ends = endsLine(next);
    const plain = literal[byte] === 1 ? byte !== dot || column > 0 : isBlank(byte) && !ends;
    const width = plain ? 1 : 3;
    // The last column belongs to the soft line break, unless the line ends here anyway.
    if (column + width > (ends ? longestLine : longestLine - 1)) {
      output[out++] = equals;
      output[out++] = cr;
      output[out++] = lf;
      column = 0;
      // The character that now starts the line may be a dot.
      at--;
      continue;
    }
    if (plain) output[out++] = byte;
    else {
      output[out++] = equals;
      output[out++] = hex[byte >> 4] ?? 0;
      output[out++] = hex[byte & 15] ?? 0;
    }
    column += width;
  }
  return output.toString("latin1", 0, out);
}
