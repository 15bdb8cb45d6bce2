import { Node } from "prosemirror-model";
import { emailDesign, type EmailDesign, type Theme } from "@/lib/mail/design/schema";
import { t } from "@/lib/ground/texts/t";
import { mailSchema } from "./document-schema";

/** The editor's document as a design, its keys in schema order; unchanged while incomplete. */
export function toDesign(doc: Node): EmailDesign {
  const { attrs, ...rest } = doc.toJSON() as EmailDesign;
  const { theme, language } = attrs;
  const json: EmailDesign = { ...rest, attrs: { theme, ...(language && { language }) } };
  const checked = emailDesign.safeParse(json);
  return checked.success ? checked.data : json;
}

/** The first fault of a design, in words; null: there is none. */
export function designFault(design: object): string | null {
  const { error } = emailDesign.safeParse(design);
  const issue = error?.issues[0];
  return issue ? t("A part of this email {message}.", { message: issue.message }) : null;
}

/** A design as the editor's document; null for one that the editor does not understand. */
export function fromDesign(design: object): Node | null {
  try {
    const doc = Node.fromJSON(mailSchema, design);
    doc.check();
    return doc;
  } catch {
    return null;
  }
}

/** Some of a design's blocks as nodes; null for any that the editor does not understand. */
export const nodesOf = (blocks: readonly object[]): readonly Node[] | null =>
  fromDesign({ type: "doc", content: blocks })?.children ?? null;

export const themeOf = (doc: Node) => doc.attrs["theme"] as Theme;
/** BCP 47; null: it does not say. */
export const languageOf = (doc: Node) => doc.attrs["language"] as string | null;
