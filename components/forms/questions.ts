import type { FormQuestion } from "@/lib/domain/forms/schema";
import type { MailingListField } from "@/lib/domain/lists/schema";

/** The prefix of a custom attribute's key. */
export const ownAttribute = "data.";

/** A question for a list's field; `name`: what the field is called. */
export interface ListQuestion extends FormQuestion {
  name: string;
}

/** What can be asked of every contact. Without a label they are asked in the visitor's language. */
export const contactQuestions: readonly FormQuestion[] = [
  { key: "firstName", label: "", required: false },
  { key: "lastName", label: "", required: false },
];

const ofContact: readonly string[] = ["EMAIL", "FIRST_NAME", "LAST_NAME"];

/** What the fields of a list would ask; those of the contact are asked as such. */
export const questionsOf = (fields: readonly MailingListField[]): ListQuestion[] =>
  fields
    .filter(({ tag }) => !ofContact.includes(tag))
    .map(({ tag, label, required }) => ({ key: `list.${tag}`, label, required, name: label }));

/** The questions that stay when another list is chosen: those about the old list's fields go. */
export const withoutList = (questions: readonly FormQuestion[]): FormQuestion[] =>
  questions.filter(({ key }) => !key.startsWith("list."));

/** What a new form asks: the first name, and what its list requires. */
export function firstQuestions(fields: readonly MailingListField[]): FormQuestion[] {
  const required = questionsOf(fields).filter((question) => question.required);
  return [...contactQuestions.slice(0, 1), ...required.map(({ name: _, ...question }) => question)];
}
