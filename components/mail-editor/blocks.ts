import { emailDesign, type EmailDesign } from "@/lib/mail/design/schema";
import type { Node } from "prosemirror-model";
import { mailSchema } from "./document-schema";
import type { BlockName } from "./block-words";
import { saidIn, type StarterLanguage } from "./starter-words";

const create = (json: object): Node => mailSchema.nodeFromJSON(json);
const text = (words: string) => ({ type: "text", text: words });
const paragraph = (words = "") => ({
  type: "paragraph",
  ...(words ? { content: [text(words)] } : {}),
});
const unsubscribe = (words: string, target: string) => ({
  ...text(words),
  marks: [{ type: "link", attrs: { href: `{{ ${target} }}` } }],
});
const footerIn = (language: StarterLanguage) => ({
  type: "footer",
  attrs: { align: "center" },
  content: [
    {
      type: "placeholder",
      attrs: {
        name: "mailReason",
        fallback: saidIn(language, "You get this email because you signed up for it."),
      },
    },
    { type: "break" },
    unsubscribe(saidIn(language, "Unsubscribe"), "unsubscribeUrl"),
    text(" · "),
    unsubscribe(saidIn(language, "Preferences"), "preferencesUrl"),
    text(" · "),
    unsubscribe(saidIn(language, "View in browser"), "viewUrl"),
  ],
});

const item = { type: "item", content: [paragraph()] };
const column = { type: "column", attrs: { share: 1 }, content: [paragraph()] };

/** A new block of each kind, as it is when it is put into an email. */
const fresh = {
  paragraph: paragraph(),
  heading: { type: "heading", attrs: { level: 2, align: "left" }, content: [text("Heading")] },
  bullets: { type: "bullets", content: [item] },
  numbers: { type: "numbers", content: [item] },
  button: { type: "button", attrs: { align: "left" }, content: [text("Read more")] },
  image: { type: "image" },
  columns: { type: "columns", content: [column, column] },
  section: { type: "section", attrs: { background: "#efe9dd" }, content: [paragraph()] },
  divider: { type: "divider" },
  spacer: { type: "spacer", attrs: { height: 24 } },
  product: {
    type: "product",
    attrs: {
      title: "Name of the product",
      text: "What is good about it.",
      price: "29.00",
      action: "Look at it",
    },
  },
  social: {
    type: "social",
    attrs: { align: "center", links: [{ network: "Website", url: "" }] },
  },
  condition: {
    type: "condition",
    attrs: { field: "firstName", operator: "present", value: "" },
    content: [paragraph()],
  },
  footer: footerIn("en"),
  html: { type: "html", attrs: { html: "" } },
} satisfies Partial<Record<BlockName, object>>;

export type NewBlock = keyof typeof fresh;
export const newBlock = (name: NewBlock): Node => create(fresh[name]);

/** A page with nothing on it but a line to write in and the footer. */
export const blankDesign = (language: StarterLanguage = "en"): EmailDesign =>
  emailDesign.parse({
    type: "doc",
    attrs: { theme: {}, language },
    content: [fresh.paragraph, fresh.divider, footerIn(language)],
  });
