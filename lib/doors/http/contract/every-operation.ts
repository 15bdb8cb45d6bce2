import type { Context } from "@/lib/ground/context";
import type { AnyOperation } from "@/lib/doors/http/surface/operation";
import { bearerOperations } from "@/lib/doors/http/v1/operations";
import { doors } from "./doors";
import { pathIds, pathWith } from "./example";
import { examples } from "./examples";

/** Runs every operation of the bearer surface once, as its example has it. */
export async function everyOperation(ctx: Context, apiKey: string): Promise<void> {
  const project = { ctx, projectId: ctx.projectId, userId: ctx.actor.id ?? "", apiKey };
  for (const { name, method, path } of bearerOperations as readonly AnyOperation[]) {
    const example = examples[name] ?? {};
    const ids = await pathIds(example, project);
    const query = new URLSearchParams(example.query).toString();
    await doors.hono({
      method,
      path: pathWith(path, ids) + (query && `?${query}`),
      headers: { ...example.headers, authorization: `Bearer ${apiKey}` },
      ...(example.body ? { body: example.body(ids) } : {}),
    });
  }
}
