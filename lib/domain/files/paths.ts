import { invalid } from "@/lib/ground/errors";
import { knownExtensions, type FileType } from "./content-type";

/** What a part of a path may consist of: no control characters, bidirectional marks, separators or wildcards. */
const allowed = /^[\p{L}\p{M}\p{N} ._()@+,=&'!~-]+$/u;
/** Windows opens these as devices, with any extension. */
const device = /^(con|prn|aux|nul|clock\$|com[0-9¹²³]|lpt[0-9¹²³])(\.|$)/i;
const deepest = 8;
const longestPart = 100;

/**
 * The canonical spelling of a folder: NFC, no slash at either end; "" is the project's own folder. Throws
 * VALIDATION_ERROR for anything that could refer to another place.
 */
export function cleanSubdirectory(subdirectory: string | undefined): string {
  const refuse = (message: string) => invalid("subdirectory", message);
  const text = (subdirectory ?? "").trim().normalize("NFC");
  if (text === "") return "";
  if (text.startsWith("/")) throw refuse("must not begin with /");
  if (text.includes("\\")) throw refuse("must not contain a backslash");
  const parts = text.replace(/\/$/, "").split("/");
  if (parts.length > deepest) throw refuse(`is deeper than ${deepest} folders`);
  for (const part of parts) {
    if (part === "") throw refuse("has an empty folder name");
    if (part.startsWith(".")) throw refuse("must not have a folder that begins with a dot");
    if (/[. ]$|^ /.test(part)) throw refuse("has a folder that ends with a dot or a space");
    if (part.length > longestPart) throw refuse("has a folder name longer than 100 characters");
    if (!allowed.test(part)) throw refuse("has characters that do not belong in a folder name");
    if (device.test(part)) throw refuse(`must not name the device ${part}`);
  }
  return parts.join("/");
}

/**
 * A file name made from the one a computer gave it; its extension is one of `type`'s, whatever it was before.
 * Never fails.
 */
export function cleanName(filename: string, type: FileType): string {
  const last = filename.normalize("NFC").split(/[/\\]/).at(-1) ?? "";
  const plain = withoutEnd(
    [...last]
      .map((char) => (allowed.test(char) ? char : "-"))
      .join("")
      .replace(/-{2,}/g, "-")
      .replace(/^[. -]+/, ""),
  );
  const [, stem = plain, ending = ""] = /^(.+)\.([^.]+)$/.exec(plain) ?? [];
  const isKnownExtension = knownExtensions.has(ending.toLowerCase());
  const extension = type.extensions.includes(ending.toLowerCase())
    ? ending
    : (type.extensions[0] ?? "bin");
  const base = (isKnownExtension ? stem : plain) || "file";
  const safe = device.test(base) ? `file-${base}` : base;
  return `${cut(safe, longestPart - extension.length - 1)}.${extension}`;
}

/** Without dots, blanks and dashes at its end. A pattern would take quadratic time to find that end. */
function withoutEnd(name: string): string {
  let end = name.length;
  while (end > 0 && ". -".includes(name[end - 1] ?? "")) end--;
  return name.slice(0, end);
}

/** At most this many UTF-16 units, without cutting a character in half. */
function cut(text: string, longest: number): string {
  let kept = "";
  for (const char of text) {
    if (kept.length + char.length > longest) break;
    kept += char;
  }
  return withoutEnd(kept) || "file";
}

/** `logo.png` with `-mark` before its extension. */
export function markName(name: string, mark: string): string {
  const dot = name.lastIndexOf(".");
  return `${name.slice(0, dot)}-${mark}${name.slice(dot)}`;
}
