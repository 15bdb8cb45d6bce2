import type { Form, FormInput, FormLook, FormQuestion, FormTexts } from "@/lib/domain/forms/schema";
import { corners, widths } from "@/lib/domain/forms/terms";
import { phrases, t } from "@/lib/ground/texts/t";

/** A form while it is being edited: every field is there, empty where nothing was chosen. */
export interface FormDraft {
  name: string;
  open: boolean;
  /** Empty: no list. */
  listId: string;
  topicIds: string[];
  questions: FormQuestion[];
  texts: Required<FormTexts>;
  look: Required<FormLook>;
  /** Empty: a page of ours. */
  thanksUrl: string;
  doubleOptIn: boolean;
  /** null: what the texts say, or the list's. */
  confirmationTemplateId: string | null;
  proofOfWork: boolean;
  /** Empty: the visitor's. */
  language: string;
}

const noTexts: Required<FormTexts> = {
  ...{ title: "", lead: "", consent: "", button: "" },
  ...{ thanksTitle: "", thanksText: "", mailSubject: "", mailText: "" },
};
const usualLook: Required<FormLook> = {
  ...{ color: null, corner: corners.usual, width: widths.usual, theme: "auto" },
};

/** What a new form begins with: it works as it is. */
export const newDraft = (listId: string, questions: FormQuestion[]): FormDraft => ({
  ...{ name: t("Sign-up form"), open: true, listId, topicIds: [], questions },
  ...{ texts: noTexts, look: usualLook, thanksUrl: "", doubleOptIn: true },
  confirmationTemplateId: null,
  ...{ proofOfWork: false, language: "" },
});

export const draftOf = (form: Form): FormDraft => ({
  name: form.name,
  open: form.open,
  listId: form.listId ?? "",
  topicIds: form.topicIds,
  questions: form.questions,
  texts: { ...noTexts, ...form.texts },
  look: { ...usualLook, ...form.look },
  thanksUrl: form.thanksUrl ?? "",
  doubleOptIn: form.doubleOptIn,
  confirmationTemplateId: form.confirmationTemplateId,
  proofOfWork: form.proofOfWork,
  language: form.language ?? "",
});

/** These fields as the API takes them. */
export function inputOf(draft: Partial<FormDraft>): Partial<FormInput> {
  const { listId, thanksUrl, language, texts, ...rest } = draft;
  return {
    ...rest,
    ...(texts && {
      texts: Object.fromEntries(Object.entries(texts).filter(([, text]) => text.trim() !== "")),
    }),
    ...(listId === undefined ? {} : { listId: listId || null }),
    ...(thanksUrl === undefined ? {} : { thanksUrl: thanksUrl.trim() || null }),
    ...(language === undefined ? {} : { language: language || null }),
  };
}

/** The other way round: which fields of the draft a change touches. */
export function writtenIn(body: Partial<FormInput>): Partial<FormDraft> {
  const { listId, thanksUrl, language, texts, look, ...rest } = body;
  const others = Object.entries(rest).filter(([name]) => name !== "basedOn");
  return {
    ...(Object.fromEntries(others) as Partial<FormDraft>),
    ...(texts && { texts: { ...noTexts, ...texts } }),
    ...(look && { look: { ...usualLook, ...look } }),
    ...(listId === undefined ? {} : { listId: listId ?? "" }),
    ...(thanksUrl === undefined ? {} : { thanksUrl: thanksUrl ?? "" }),
    ...(language === undefined ? {} : { language: language ?? "" }),
  };
}

export const fieldLabels: Readonly<Record<keyof FormDraft, string>> = phrases({
  name: "Name",
  open: "Takes sign-ups",
  listId: "List",
  topicIds: "Topics",
  questions: "Questions",
  texts: "Texts",
  look: "Look",
  thanksUrl: "Address after signing up",
  doubleOptIn: "Ask to confirm by email",
  confirmationTemplateId: "Confirmation email",
  proofOfWork: "Proof of work",
  language: "Language",
});

const textLabels: Readonly<Record<keyof FormTexts, string>> = phrases({
  title: "Heading",
  lead: "Introduction",
  consent: "Consent",
  button: "Button",
  thanksTitle: "Thanks",
  thanksText: "What happens next",
  mailSubject: "Subject",
  mailText: "Email",
});

/** A field of the draft as text, for choosing between two versions. */
export function tell(
  draft: FormDraft,
  field: keyof FormDraft,
  nameOf: (id: string) => string,
): string {
  switch (field) {
    case "name":
    case "thanksUrl":
    case "language":
      return draft[field];
    case "open":
    case "doubleOptIn":
    case "proofOfWork":
      return draft[field] ? t("On") : t("Off");
    case "confirmationTemplateId":
      return draft.confirmationTemplateId ?? t("No template");
    case "listId":
      return draft.listId && nameOf(draft.listId);
    case "topicIds":
      return draft.topicIds.map(nameOf).join("\n");
    case "questions":
      return draft.questions
        .map(({ key, label, required }) => {
          const question = label || key;
          return required ? t("{question} (required)", { question }) : question;
        })
        .join("\n");
    case "texts":
      return Object.entries(draft.texts)
        .filter(([, text]) => text)
        .map(([name, text]) => `${textLabels[name as keyof FormTexts]}: ${text}`)
        .join("\n");
    case "look":
      return [
        draft.look.color === null
          ? t("Colour: the project’s")
          : t("Colour: {color}", { color: draft.look.color }),
        t("Corners: {corner} px", { corner: draft.look.corner }),
        t("Width: {width} px", { width: draft.look.width }),
        t("Background: {theme, select, auto {auto} light {light} other {dark}}", {
          theme: draft.look.theme,
        }),
      ].join("\n");
  }
}
