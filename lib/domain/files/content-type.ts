export interface FileType {
  contentType: string;
  /** Lower case; the first is the usual one. */
  extensions: readonly string[];
  /** May be opened in the browser as a page. Everything else is downloaded. */
  inline: boolean;
}

const image = (contentType: string, ...extensions: string[]): FileType => ({
  contentType,
  extensions,
  inline: true,
});
const download = (contentType: string, ...extensions: string[]): FileType => ({
  contentType,
  extensions,
  inline: false,
});

const office = "application/vnd.openxmlformats-officedocument";
const png = image("image/png", "png");
const jpeg = image("image/jpeg", "jpg", "jpeg");
const gif = image("image/gif", "gif");
const webp = image("image/webp", "webp");
const avif = image("image/avif", "avif");
// SVG runs scripts when it is a page: it is only ever an <img>.
const svg = download("image/svg+xml", "svg");
const pdf = download("application/pdf", "pdf");
const calendar = download("text/calendar", "ics");
const packages = [
  download(`${office}.wordprocessingml.document`, "docx"),
  download(`${office}.spreadsheetml.sheet`, "xlsx"),
  download(`${office}.presentationml.presentation`, "pptx"),
];
const texts = [download("text/plain", "txt"), download("text/csv", "csv")];

const types = new Map(
  [png, jpeg, gif, webp, avif, svg, pdf, calendar, ...packages, ...texts].map((type) => [
    type.contentType,
    type,
  ]),
);

export const knownExtensions: ReadonlySet<string> = new Set(
  [...types.values()].flatMap(({ extensions }) => extensions),
);

/** How many of a file's first bytes tell its type. */
export const headBytes = 4096;

/** For people: what may be uploaded. */
export const acceptedKinds =
  "PNG, JPEG, GIF, WebP, AVIF, SVG, PDF, ICS, DOCX, XLSX, PPTX, TXT or CSV";

export const isInline = (contentType: string): boolean => types.get(contentType)?.inline ?? false;

const starts = (head: Buffer, bytes: string, at = 0) =>
  head.subarray(at, at + bytes.length).equals(Buffer.from(bytes, "latin1"));

/**
 * A file's type by its first bytes; null when it is not an accepted one. The name only decides between kinds
 * whose bytes are the same (Office files, plain text), never against the bytes.
 */
export function detectType(head: Buffer, name: string): FileType | null {
  if (starts(head, "\x89PNG\r\n\x1a\n")) return png;
  if (starts(head, "\xff\xd8\xff")) return jpeg;
  if (starts(head, "GIF87a") || starts(head, "GIF89a")) return gif;
  if (starts(head, "RIFF") && starts(head, "WEBP", 8)) return webp;
  if (starts(head, "ftyp", 4) && /^avi[fs]$/.test(head.toString("latin1", 8, 12))) return avif;
  if (starts(head, "%PDF-")) return pdf;
  const extension = /\.([^.]*)$/.exec(name)?.[1]?.toLowerCase() ?? "";
  if (starts(head, "PK\x03\x04")) {
    return packages.find(({ extensions }) => extensions.includes(extension)) ?? null;
  }
  return textType(head, extension);
}

function textType(head: Buffer, extension: string): FileType | null {
  let text: string;
  try {
    // `stream`, because the last character may be cut in half.
    text = new TextDecoder("utf-8", { fatal: true }).decode(head, { stream: true });
  } catch {
    return null;
  }
  if (text.trim() === "" || /[\0-\x08\x0e-\x1a\x1c-\x1f\x7f]/.test(text)) return null;
  if (/^BEGIN:VCALENDAR/i.test(text.trimStart())) return calendar;
  const bare = text.replace(/^\s*(?:<\?xml[^>]*>|<!--[^]*?-->|<!DOCTYPE svg[^>]*>|\s)*/i, "");
  if (/^<svg[\s>]/i.test(bare)) return svg;
  // Markup is refused under any name: no file may be a page.
  if (/^\s*</.test(text)) return null;
  return texts.find(({ extensions }) => extensions.includes(extension)) ?? null;
}
