import { checkFieldValues } from "@/lib/domain/lists/field-values";
import { isAppError } from "@/lib/ground/errors";
import { storableText } from "@/lib/ground/storable-text";
import { normalizeAddress } from "@/lib/mail/address";
import type { AskedQuestion, PublicForm } from "./public-form";

/** What is wrong with an answer. */
export type EntryFault = "required" | "email" | "value" | "long";

/** What somebody entered into a form, checked and ready to store. */
export interface Entry {
  email: string;
  firstName: string;
  lastName: string;
  data: Record<string, string>;
  fields: Record<string, string>;
}

export interface ReadEntry {
  /** By question, and `email`: as entered, to be shown again. */
  values: Map<string, string>;
  faults: Map<string, EntryFault>;
  /** null: there are faults. */
  entry: Entry | null;
}

const longestAnswer = 500;
const longestName = 200;
const longestAddress = 320;

/** Everything on one line: no question needs more, and names go into mail headers. */
const onOneLine = (text: string) =>
  storableText(text)
    .replace(/[\p{Cc}\u2028\u2029]+/gu, " ")
    .trim();

function faultOf(
  { key, required, type }: AskedQuestion,
  value: string,
  form: PublicForm,
): EntryFault | null {
  if (value === "") return required ? "required" : null;
  if (value.length > (key.endsWith("Name") ? longestName : longestAnswer)) return "long";
  if (!key.startsWith("list.")) return null;
  // An answer to a required checkbox does not mean that it was ticked.
  if (type === "checkbox" && required && value === "0") return "required";
  try {
    checkFieldValues(form.fields, { [key.slice("list.".length)]: value }, false);
    return null;
  } catch (error) {
    if (!isAppError(error)) throw error;
    return "value";
  }
}

/** Reads what was posted; anything the form does not ask for is ignored. */
export function readEntry(form: PublicForm, posted: URLSearchParams): ReadEntry {
  const values = new Map<string, string>();
  const faults = new Map<string, EntryFault>();
  const written = onOneLine(posted.get("email") ?? "");
  const email = written.length > longestAddress ? null : normalizeAddress(written);
  values.set("email", written.slice(0, longestAddress));
  if (email === null) faults.set("email", written === "" ? "required" : "email");
  const entry: Entry = { email: email ?? "", firstName: "", lastName: "", data: {}, fields: {} };
  for (const question of form.questions) {
    const { key } = question;
    const value = onOneLine(posted.getAll(key).filter(Boolean).join(","));
    const fault = faultOf(question, value, form);
    values.set(key, value.slice(0, longestAnswer));
    if (fault) faults.set(key, fault);
    else if (value === "") continue;
    else if (key === "firstName" || key === "lastName") entry[key] = value;
    else if (key.startsWith("data.")) entry.data[key.slice("data.".length)] = value;
    else entry.fields[key.slice("list.".length)] = value;
  }
  return { values, faults, entry: faults.size === 0 ? entry : null };
}
