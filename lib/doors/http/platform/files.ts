import { z } from "zod";
import { invalid, isAppError } from "@/lib/ground/errors";
import { uploadFile, uploadFromUrl } from "@/lib/domain/files/files";
import type { StoredFile } from "@/lib/domain/files/schema";
import { attachmentsBodyLimit } from "@/lib/doors/http/surface/body";
import { operation, type FormFile } from "@/lib/doors/http/surface/operation";
import { parseJson } from "@/lib/doors/http/surface/body";
import { done } from "./values";

const mostFiles = 20;

const fileObject = z
  .object({
    url: z
      .string()
      .max(2_000)
      .meta({ description: "Address of the file.", example: "https://example.com/logo.png" }),
    subdirectory: z
      .string()
      .max(500)
      .nullish()
      .meta({ description: "Folder to save to.", example: "logos" }),
  })
  .meta({ id: "FileObject" });
const fileList = z.array(fileObject).max(mostFiles, `holds more than ${mostFiles} files`);

const body = z
  .object({
    files: z
      .union([fileList, z.string().max(100_000)])
      .optional()
      .meta({ description: "A list, or its JSON as text. Absent when a form carries files." }),
    subdirectory: z
      .string()
      .max(500)
      .nullish()
      .meta({ description: "Folder for the files of a multipart form." }),
  })
  .meta({ id: "FileUpload" });

const uploaded = z
  .object({
    file: z
      .string()
      .meta({ description: "Public address; for a file that failed, the address that was given." }),
    status: z.union([z.literal(0), z.literal(1)]),
    message: z.string(),
  })
  .meta({ id: "UploadedFile" });

/** The objects asked for, also as a JSON string. Throws VALIDATION_ERROR. */
function toObjects(files: z.infer<typeof body>["files"]): z.infer<typeof fileList> {
  if (typeof files !== "string") return files ?? [];
  let value: unknown;
  try {
    value = parseJson(Buffer.from(files));
  } catch (error) {
    throw isAppError(error) ? invalid("files", error.message) : error;
  }
  const parsed = fileList.safeParse(value);
  if (!parsed.success) throw invalid("files", "is not a list of {url, subdirectory}");
  return parsed.data;
}

/** One entry per file: a file that cannot be saved does not stop the others. */
async function attempt(name: string, work: () => Promise<StoredFile>) {
  try {
    const { url } = await work();
    return { file: url, status: 1 as const, message: "File uploaded" };
  } catch (error) {
    if (!isAppError(error) || error.code === "NOT_ALLOWED") throw error;
    return { file: name, status: 0 as const, message: error.message };
  }
}

export const fileOperations = [
  operation({
    method: "post",
    path: "/file/upload",
    name: "uploadFiles",
    summary: "Upload files for use in mail",
    description: `Fetches each address (public ones, 25 MB, 20 seconds, ${mostFiles} at most) and saves what is there; files in a multipart form are saved as they are. Images, PDF and the like; the content decides what a file is. The answer has one entry per file; status 0 means that it failed.`,
    tag: "Files",
    access: "editor",
    rate: "api",
    body,
    bodyLimit: attachmentsBodyLimit,
    bodyExamples: {
      url: {
        summary: "By address",
        value: { files: [{ url: "https://example.com/logo.png", subdirectory: "logos" }] },
      },
    },
    answer: z.object({
      status: z.union([z.literal(0), z.literal(1)]).meta({ description: "1: all were saved." }),
      message: z.string(),
      files: z.array(uploaded),
    }),
    answerExample: {
      status: 1,
      message: "Files were uploaded",
      files: [
        {
          file: "https://mail.example.com/files/prj_01kat4rz8sfq3v6d1mpx3k6w9j/logos/logo.png",
          status: 1,
          message: "File uploaded",
        },
      ],
    },
    successStatuses: [200],
    run: async (ctx, input) => {
      const objects = toObjects(input.body.files);
      if (objects.length + input.files.length === 0) throw invalid("files", "is required");
      const answers = await saveAll([
        ...objects.map(
          ({ url, subdirectory }) =>
            () =>
              attempt(url, () =>
                uploadFromUrl(ctx, { url, ...(subdirectory ? { subdirectory } : {}) }),
              ),
        ),
        ...input.files.map(
          (file) => () =>
            attempt(file.filename, () => uploadFile(ctx, fromForm(file, input.body.subdirectory))),
        ),
      ]);
      const failed = answers.filter(({ status }) => status === 0).length;
      return failed === 0
        ? done("Files were uploaded", { files: answers })
        : {
            status: 200,
            body: {
              status: 0 as const,
              message: `${failed} of ${answers.length} files were not uploaded`,
              files: answers,
            },
          };
    },
  }),
] as const;

function fromForm({ filename, content }: FormFile, subdirectory: string | null | undefined) {
  return { filename, file: [content], ...(subdirectory ? { subdirectory } : {}) };
}

const atOnce = 4;

/** Runs the work in order, a few pieces at a time. */
async function saveAll<Result>(work: readonly (() => Promise<Result>)[]): Promise<Result[]> {
  const results: Result[] = [];
  for (let next = 0; next < work.length; next += atOnce) {
    results.push(...(await Promise.all(work.slice(next, next + atOnce).map((job) => job()))));
  }
  return results;
}
