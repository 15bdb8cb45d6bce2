import type { Executor } from "@/db/client";
import type { PagesPreview } from "@/lib/domain/projects/pages-schema";
import type { SampledPages } from "@/lib/domain/projects/recipient-pages";
import { previewMail } from "@/lib/domain/forms/mail";
import { textsFor } from "@/lib/ground/texts/texts";
import { confirmationPage } from "./confirmation";
import { formPage, sentPage } from "./form";
import { writePage } from "./frame";
import { preferencesPage } from "./preferences";

/** Of no recipient: nothing answers it. */
const token = "preview";
const unvisited = { done: null, list: null, topic: null, undo: null };

/** One of the pages, or the mail, that a project's recipients see, by the code that makes it for them. */
export async function previewRecipientPage(
  db: Executor,
  { preferences, confirmation, form }: SampledPages,
  { view, theme }: Pick<PagesPreview, "view" | "theme">,
): Promise<{ html: string }> {
  const texts = textsFor(preferences.brand.language);
  if (view === "mail") return { html: await previewMail(db, form, texts.language) };
  const visitor = { texts, chosen: null, path: null };
  const page = () => {
    if (view === "form") return formPage(form, visitor, null);
    if (view === "sent") return sentPage(form, visitor);
    if (view === "confirmation") return confirmationPage(visitor, confirmation, token);
    const visit = { ...unvisited, unsubscribe: view === "unsubscribe" };
    return preferencesPage(visitor, preferences, { token, visit });
  };
  const { document } = writePage({ ...page(), ...(theme && { theme }) });
  return { html: String(await document) };
}
