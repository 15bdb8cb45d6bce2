import type { Texts } from "@/lib/ground/texts/texts";
import type { AskedQuestion, PublicForm } from "./public-form";
import type { FormTexts } from "./schema";

/** The texts of a form: its owner's, else ours in the visitor's language. */
export function wordsOf(
  { row, subject, topics }: Pick<PublicForm, "row" | "subject" | "topics">,
  { text }: Texts,
) {
  const own = (name: keyof FormTexts, otherwise: string) => row.texts[name] || otherwise;
  const thanks = text(row.doubleOptIn ? "form.sent.confirm" : "form.sent.done");
  return {
    title: own("title", text("form.title", { name: subject })),
    lead: own("lead", topics.join(", ")),
    consent: own("consent", ""),
    button: own("button", text("form.button")),
    thanksTitle: own("thanksTitle", text("form.sent.title")),
    thanksText: own("thanksText", thanks),
  };
}

export function labelOf({ key, label }: AskedQuestion, { text }: Texts): string {
  if (label !== "") return label;
  return text(key === "firstName" ? "form.firstName" : "form.lastName");
}

/** Everything the person had read when they pressed the button, as the consent history keeps it. */
export function shownFormText(form: PublicForm, texts: Texts): string {
  const { title, lead, consent, button } = wordsOf(form, texts);
  const subject = [form.subject, ...form.topics].join(", ");
  return [title, lead, subject, consent, button].filter(Boolean).join("\n");
}
