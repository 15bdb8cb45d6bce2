/** RFC 8187 does not allow these characters in a parameter's value. */
const escapeByte = (char: string) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`;

/** A Content-Disposition (RFC 6266) for a file of any name. */
export function contentDisposition(kind: "inline" | "attachment", name: string): string {
  const encoded = encodeURIComponent(name.toWellFormed()).replace(/['()*]/g, escapeByte);
  return `${kind}; filename*=UTF-8''${encoded}`;
}
