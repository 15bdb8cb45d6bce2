import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { docsFiles } from "@/components/docs/pages";
import { readMarkdown, type MarkdownDocument } from "@/components/markdown/read";

export type Documents = ReadonlyMap<string, MarkdownDocument>;

async function readAll(): Promise<Documents> {
  const entries = await Promise.all(
    docsFiles.map(async (file) => {
      // Spelled out like this so that the build includes the folder.
      const source = await readFile(join(process.cwd(), "docs", file), "utf8");
      return [file, readMarkdown(source)] as const;
    }),
  );
  return new Map(entries);
}

let kept: Promise<Documents> | undefined;

/** All pages of the documentation by their file: read once, but anew each time in development. */
export function allDocuments(): Promise<Documents> {
  if (process.env.NODE_ENV === "development") return readAll();
  return (kept ??= readAll());
}

export const titlesOf = (documents: Documents) =>
  new Map([...documents].map(([file, { title }]) => [file, title]));
