/** @jsxImportSource hono/jsx */
import type { Context } from "hono";
import type { ProjectBrand } from "@/lib/domain/opt-outs/schema";
import { answerPage, visitorOf } from "./frame";

export type Message =
  | "link.unknown"
  | "link.deleted"
  | "link.gone"
  | "view.nothing"
  | "report.ended"
  | "page.busy"
  | "page.refused"
  | "form.unknown"
  | "form.closed"
  | "form.gone";

/** A page with nothing to do on it. */
export function answerMessage(
  c: Context,
  message: Message,
  { status, brand = null }: { status: number; brand?: ProjectBrand | null },
): Response | Promise<Response> {
  const visitor = visitorOf(c, { project: brand?.language ?? null });
  const { text } = visitor.texts;
  return answerPage(
    c,
    { visitor, brand, title: text(`${message}.title`), lead: text(`${message}.lead`) },
    { status },
  );
}
