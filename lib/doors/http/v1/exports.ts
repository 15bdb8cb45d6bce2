import { z } from "zod";
import { cancelExport, followExport, getExport } from "@/lib/domain/exports/exports";
import { exportProgress } from "@/lib/domain/exports/schema";
import { operation, type OperationAnswer } from "@/lib/doors/http/surface/operation";
import type { Context } from "@/lib/ground/context";
import { idParam } from "./parameters";

const types = { csv: "text/csv; charset=utf-8", zip: "application/zip" };

/** A file as an answer. `progress`: what the page calls the export that follows it. */
export async function exportedFile(
  ctx: Context,
  name: `${string}.${keyof typeof types}`,
  progress: string | undefined,
  make: () => Promise<ReadableStream<Uint8Array>>,
): Promise<OperationAnswer<never>> {
  return {
    status: 200,
    stream: await followExport(ctx, progress, make),
    headers: {
      "content-type": types[name.endsWith(".csv") ? "csv" : "zip"],
      "content-disposition": `attachment; filename="${name}"`,
    },
  };
}

const shared = {
  tag: "Exports",
  access: "viewer",
  rate: "api",
  sessionOnly: true,
  params: z.object({ id: idParam("export", "4f0c2a3e9d1b4c7f8a6e") }),
  answer: exportProgress,
  successStatuses: [200],
  errors: ["NOT_FOUND"],
} as const;

export const exportOperations = [
  operation({
    ...shared,
    method: "get",
    path: "/v1/exports/{id}",
    name: "getExport",
    summary: "How far an export is that one has begun",
    reads: "primary",
    run: async (ctx, { params: { id } }) => ({ status: 200, body: await getExport(ctx, id) }),
  }),
  operation({
    ...shared,
    method: "post",
    path: "/v1/exports/{id}/cancel",
    name: "cancelExport",
    summary: "Cut an export off that one has begun",
    run: async (ctx, { params: { id } }) => ({ status: 200, body: await cancelExport(ctx, id) }),
  }),
] as const;
