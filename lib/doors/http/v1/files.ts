import { z } from "zod";
import { deleteFile, listFiles, uploadFile, uploadFromUrl } from "@/lib/domain/files/files";
import { fileFetch, fileQuery, fileUploadQuery, storedFile } from "@/lib/domain/files/schema";
import { pageSchema } from "@/lib/ground/paging/schema";
import { operation } from "@/lib/doors/http/surface/operation";
import { idParam } from "./parameters";

const shared = { tag: "Media", rate: "api", sessionOnly: true } as const;

export const fileOperations = [
  operation({
    ...shared,
    method: "get",
    path: "/v1/files",
    name: "listFiles",
    summary: "List uploaded files",
    access: "viewer",
    query: fileQuery,
    answer: pageSchema(storedFile),
    successStatuses: [200],
    run: async (ctx, { query }) => ({ status: 200, body: await listFiles(ctx, query) }),
  }),
  operation({
    ...shared,
    method: "post",
    path: "/v1/files",
    name: "uploadFile",
    summary: "Upload a file",
    access: "editor",
    query: fileUploadQuery,
    upload: ["application/octet-stream"],
    answer: storedFile,
    successStatuses: [201],
    errors: ["PAYLOAD_TOO_LARGE"],
    run: async (ctx, { query, upload }) => {
      const { file, filename } = await upload();
      return {
        status: 201,
        body: await uploadFile(ctx, {
          file,
          filename: query.filename ?? filename,
          subdirectory: query.subdirectory,
        }),
      };
    },
  }),
  operation({
    ...shared,
    method: "post",
    path: "/v1/files/fetch",
    name: "fetchFile",
    summary: "Fetch a file from a public address",
    access: "editor",
    body: fileFetch,
    answer: storedFile,
    successStatuses: [201],
    errors: ["PAYLOAD_TOO_LARGE"],
    run: async (ctx, { body }) => ({ status: 201, body: await uploadFromUrl(ctx, body) }),
  }),
  operation({
    ...shared,
    method: "delete",
    path: "/v1/files/{id}",
    name: "deleteFile",
    summary: "Delete a file",
    access: "editor",
    params: z.object({ id: idParam("file", "fil_01kat4rz8sfq3v6d1mpx3k6w9j") }),
    successStatuses: [204],
    errors: ["NOT_FOUND"],
    run: async (ctx, { params: { id } }) => {
      await deleteFile(ctx, id);
      return { status: 204 };
    },
  }),
] as const;
