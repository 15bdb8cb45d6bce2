import { z } from "zod";
import { pageQuery } from "@/lib/ground/paging/schema";

/** Of one file, uploaded or fetched. */
export const largestFileBytes = 25 * 1024 * 1024;

export const storedFile = z
  .object({
    id: z.string().meta({ example: "fil_01kat4rz8sfq3v6d1mpx3k6w9j" }),
    /** Last part of the path. */
    name: z.string(),
    path: z.string().meta({ description: "Subdirectory and name.", example: "logos/acme.png" }),
    url: z.string().meta({ description: "Public address, for use in mail." }),
    contentType: z.string().meta({ example: "image/png" }),
    size: z.int().meta({ description: "Bytes." }),
    createdAt: z.iso.datetime(),
  })
  .meta({ id: "StoredFile" });
export type StoredFile = z.infer<typeof storedFile>;

const subdirectory = z
  .string()
  .max(500)
  .optional()
  .meta({ description: "Folder to save to, such as `logos/2026`.", example: "logos" });

/** Few but the largest libraries have thousands of files: nothing but their ids has an index to sort by. */
export const fileQuery = pageQuery.extend({
  // Longer than others': with a path in it.
  cursor: z.string().min(1).max(4_096).optional(),
  sort: z.enum(["-createdAt", "createdAt", "name", "-size"]).optional(),
  search: z.string().trim().max(200).optional().meta({ description: "Part of the path." }),
});
export type FileQuery = z.infer<typeof fileQuery>;

export const fileUploadQuery = z.strictObject({
  filename: z
    .string()
    .max(500)
    .optional()
    .meta({ description: "Name of the file; if absent, the one in the form." }),
  subdirectory,
});

export const fileFetch = z
  .strictObject({
    url: z
      .url({ protocol: /^https?$/, error: "is not an http or https address" })
      .max(2000)
      .meta({ example: "https://example.com/logo.png" }),
    subdirectory,
  })
  .meta({ id: "FileFetch" });
export type FileFetch = z.infer<typeof fileFetch>;
