import type { Executor } from "@/db/client";
import { previewMail } from "@/lib/domain/forms/mail";
import { snippetIn } from "@/lib/domain/forms/preview";
import type { PublicForm } from "@/lib/domain/forms/public-form";
import type { FormMarkup, PreviewQuery } from "@/lib/domain/forms/schema";
import { textsFor } from "@/lib/ground/texts/texts";
import { formPage, sentPage } from "./form";
import { writePage } from "./frame";

async function htmlOf(
  db: Executor,
  form: PublicForm,
  { view, language, theme }: PreviewQuery,
): Promise<string> {
  if (view === "snippet") return snippetIn(form, language);
  const texts = textsFor(form.row.language, language, form.brand.language);
  if (view === "mail") return previewMail(db, form, texts.language);
  const visitor = { texts, chosen: null, path: null };
  const page = view === "page" ? formPage(form, visitor, null) : sentPage(form, visitor);
  const seen = page.theme === "auto" && theme ? { ...page, theme } : page;
  return String(await writePage(seen).document);
}

/** What the visitors of a form, and those who sign up by it, would be shown. */
export async function previewOf(
  db: Executor,
  form: PublicForm,
  query: PreviewQuery,
): Promise<FormMarkup> {
  const html = await htmlOf(db, form, query);
  return { html, bytes: Buffer.byteLength(html) };
}
