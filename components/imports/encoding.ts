import { previewBytes } from "./csv-preview";

/** A file as UTF-8, and its beginning as text. */
export interface ReadFile {
  file: File;
  /** The first `previewBytes`. */
  text: string;
  /** It was not UTF-8, and taken for Windows-1252. */
  converted: boolean;
}

/** Null when it is something else. The last character may be cut off. */
function decode(bytes: ArrayBuffer, encoding: string): string | null {
  try {
    const text = new TextDecoder(encoding, { fatal: true }).decode(bytes, { stream: true });
    return text.includes("\0") ? null : text;
  } catch {
    return null;
  }
}

/** Whether all of it is: of a long file, the first umlaut may come late. */
async function isUtf8(file: File): Promise<boolean> {
  try {
    const reader = file
      .stream()
      .pipeThrough(new TextDecoderStream("utf-8", { fatal: true }))
      .getReader();
    while (!(await reader.read()).done);
    return true;
  } catch (error) {
    if (error instanceof TypeError) return false;
    throw error;
  }
}

/**
 * Reads a text file. What Excel saves as "CSV" on Windows is in Windows-1252, and is written anew as UTF-8. Null for a
 * file that is no text, such as a workbook.
 */
export async function readTextFile(file: File): Promise<ReadFile | null> {
  const head = await file.slice(0, previewBytes).arrayBuffer();
  const text = decode(head, "utf-8");
  if (text !== null && (await isUtf8(file))) return { file, text, converted: false };
  const western = decode(head, "windows-1252");
  if (western === null) return null;
  const anew = file
    .stream()
    .pipeThrough(new TextDecoderStream("windows-1252"))
    .pipeThrough(new TextEncoderStream());
  const whole = await new Response(anew).blob();
  return {
    file: new File([whole], file.name, { type: file.type }),
    text: western,
    converted: true,
  };
}
