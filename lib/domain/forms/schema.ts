import { z } from "zod";
import { basedOn } from "@/lib/ground/updates/schema";
import { longCursor, pageQuery } from "@/lib/ground/paging/schema";
import { corners, mostQuestions, themes, widths } from "./terms";

const line = (longest: number) =>
  z
    .string()
    .trim()
    .max(longest, `is longer than ${longest} characters`)
    .regex(/^[^\r\n]*$/, "must not contain line breaks (CR, LF)");
const paragraphs = (longest: number) =>
  z.string().trim().max(longest, `is longer than ${longest} characters`);

const question = z
  .strictObject({
    key: z
      .string()
      .max(110)
      .regex(
        /^(firstName|lastName|data\..{1,100}|list\.[A-Z][A-Z0-9_]{0,49})$/,
        "is not firstName, lastName, data.<key> or list.<TAG>",
      )
      .refine(
        (key) => key !== "data.__proto__" && !/\p{Cc}/u.test(key),
        "is not the key of an attribute",
      )
      .meta({
        description:
          "`firstName`, `lastName`, `data.<key>` for a custom attribute of the contact, `list.<TAG>` for a field of the form's list.",
        example: "data.city",
      }),
    label: line(200).meta({
      description: "Empty for the names: the page then asks in the visitor's language.",
      example: "City",
    }),
    required: z.boolean(),
  })
  .meta({ id: "FormQuestion" });
export type FormQuestion = z.infer<typeof question>;

const questions = z
  .array(question)
  .max(mostQuestions, `holds more than ${mostQuestions} questions`)
  .superRefine((asked, context) => {
    for (const [index, { key, label }] of asked.entries()) {
      if (asked.findIndex((other) => other.key === key) !== index) {
        context.addIssue({ code: "custom", path: [index, "key"], message: "is asked twice" });
      }
      if (label === "" && key !== "firstName" && key !== "lastName") {
        context.addIssue({ code: "custom", path: [index, "label"], message: "is empty" });
      }
    }
  })
  .meta({ description: "The questions asked besides the address.", example: [] });

const texts = z
  .strictObject({
    title: line(200),
    lead: paragraphs(2_000),
    consent: paragraphs(2_000).meta({
      description: "Shown next to the button: what people agree to. It is kept as proof.",
    }),
    button: line(60),
    thanksTitle: line(200),
    thanksText: paragraphs(2_000),
    mailSubject: line(200).meta({ description: "The subject of the confirmation email." }),
    mailText: paragraphs(2_000),
  })
  .partial()
  .meta({
    id: "FormTexts",
    description: "A text that is missing or empty is replaced by ours in the visitor's language.",
  });
export type FormTexts = z.infer<typeof texts>;

const look = z
  .strictObject({
    color: z
      .string()
      .regex(/^#[0-9a-fA-F]{6}$/, "is not a colour like #rrggbb")
      .transform((color) => color.toLowerCase())
      .nullable()
      .meta({ description: "The colour of the button; null: the project's `brandColor`." }),
    corner: z.int().min(0).max(corners.most).meta({ description: "Radius in pixels." }),
    width: z
      .int()
      .min(widths.least)
      .max(widths.most)
      .meta({ description: "Maximum width in pixels." }),
    theme: z.enum(themes).meta({
      description:
        "`auto`: light or dark, following the visitor's system; a snippet is then light, as most pages are.",
    }),
  })
  .partial()
  .meta({ id: "FormLook" });
export type FormLook = z.infer<typeof look>;

const webAddress = z
  .string()
  .trim()
  .max(2_000)
  .refine((text) => {
    if (!URL.canParse(text)) return false;
    const { protocol, username, password } = new URL(text);
    return /^https?:$/.test(protocol) && username === "" && password === "";
  }, "is not a web address (https://...)");

const fields = {
  name: line(200).min(1, "is empty").meta({ description: "Only you see it.", example: "Footer" }),
  open: z.boolean().optional().meta({ description: "A closed form accepts nobody and says so." }),
  listId: z.string().max(100).nullable().optional().meta({
    description:
      "The list people join; null: no list, they sign up for everything the project sends.",
  }),
  topicIds: z.array(z.string().max(100)).max(50).optional().meta({
    description:
      "Topics people sign up for. New people get only these of the project's topics; if there are none here, they get all.",
  }),
  questions: questions.optional(),
  texts: texts.optional().meta({ description: "Replaces the texts as a whole." }),
  look: look.optional().meta({ description: "Replaces the look as a whole." }),
  thanksUrl: webAddress.nullable().optional().meta({
    description: "Where people go after signing up; null: to one of our pages.",
  }),
  doubleOptIn: z.boolean().optional().meta({
    description: "Whether people confirm with a link that is mailed to them. Default: true.",
  }),
  confirmationTemplateId: z.string().max(100).nullable().optional().meta({
    description:
      "The template that the confirmation email is written with: it links to `{{ confirmUrl }}`. null: `texts.mailSubject` and `texts.mailText` if there are any, otherwise the list's template, otherwise ours.",
  }),
  language: z.string().max(35).nullable().optional().meta({
    description:
      "BCP 47: the language of the form, its pages and its email for every visitor. null: the visitor's own.",
    example: "de",
  }),
  proofOfWork: z.boolean().optional().meta({
    description:
      "Whether the visitor's browser does some work that costs bots time. Visitors without JavaScript confirm by email, and fewer of them are accepted per hour.",
  }),
};

export const formInput = z.strictObject(fields).meta({ id: "FormInput" });
export type FormInput = z.infer<typeof formInput>;

export const formUpdate = z
  .strictObject(fields)
  .partial()
  .extend({ basedOn })
  .meta({ id: "FormUpdate", description: "Only the fields that are present change." });
export type FormUpdate = z.infer<typeof formUpdate>;

export const formQuery = pageQuery.extend({
  search: z.string().trim().max(200).optional().meta({ description: "Part of the name." }),
  listId: z
    .string()
    .max(100)
    .optional()
    .meta({ description: "Forms that sign people up for this list." }),
});
/** The dashboard's list. A project has 200 forms at most: nothing but their ids has an index. */
export const formListQuery = formQuery.extend({
  cursor: longCursor,
  sort: z.enum(["-createdAt", "name", "-name", "confirmed", "-confirmed"]).optional(),
});
export type FormQuery = z.infer<typeof formListQuery>;

const figures = {
  seen: z.int().meta({ description: "Times the form was shown. Visitors are not identified." }),
  sent: z.int().meta({ description: "Sign-ups that were accepted." }),
  confirmed: z
    .int()
    .meta({ description: "Accepted sign-ups that were confirmed, or needed no confirmation." }),
  refused: z.int().meta({ description: "Submissions judged to come from a bot." }),
};

export const form = z
  .object({
    id: z.string().meta({ example: "frm_01kat4rz8sfq3v6d1mpx3k6w9j" }),
    name: z.string(),
    open: z.boolean(),
    url: z.string().meta({ description: "The page with the form." }),
    listId: z.string().nullable(),
    listName: z.string().nullable(),
    topicIds: z.array(z.string()),
    questions: z.array(question),
    texts,
    look,
    thanksUrl: z.string().nullable(),
    doubleOptIn: z.boolean(),
    confirmationTemplateId: z.string().nullable(),
    proofOfWork: z.boolean(),
    language: z.string().nullable(),
    figures: z.object(figures).meta({ description: "Since it was created." }),
    createdAt: z.iso.datetime(),
    updatedAt: z.iso.datetime(),
  })
  .meta({ id: "Form" });
export type Form = z.infer<typeof form>;

export const figuresQuery = z.strictObject({
  days: z.coerce.number().int().min(1).max(366).default(30).meta({
    description: "How many days back, including today.",
  }),
});
export type FiguresQuery = z.infer<typeof figuresQuery>;

export const formFigures = z
  .object({
    data: z.array(z.object({ day: z.iso.date(), ...figures })).meta({
      description: "One entry a day (UTC), the oldest first.",
    }),
  })
  .meta({ id: "FormFigures" });
export type FormFigures = z.infer<typeof formFigures>;

const views = ["snippet", "page", "sent", "mail"] as const;
export const previewQuery = z.strictObject({
  view: z.enum(views).default("snippet").meta({
    description:
      "`page`: the form's own page; `sent`: what people see after signing up; `mail`: the confirmation email.",
  }),
  language: z.string().max(35).optional().meta({
    description: "The visitor's language; if absent, the project's.",
    example: "de",
  }),
  theme: z.enum(["light", "dark"]).optional().meta({
    description: "The visitor's system setting, for a form that follows it.",
  }),
});
export type PreviewQuery = z.infer<typeof previewQuery>;

export const formMarkup = z
  .object({
    html: z.string().meta({ description: "The form with its style, to paste into a page." }),
    bytes: z.int(),
  })
  .meta({ id: "FormMarkup" });
export type FormMarkup = z.infer<typeof formMarkup>;
