import { emailDesign, type EmailDesign, type Theme } from "@/lib/mail/design/schema";
import { saidIn, type StarterLanguage } from "./starter-words";

/*
 * The parts that starter designs are put together from. Their texts are English where they stand, and said in the
 * language of the design that is being put together.
 */

let language: StarterLanguage = "en";
const said = (english: string) => saidIn(language, english);

type Part = string | object;
type Align = "left" | "center" | "right";
export const left = "left";
export const center = "center";

/** Why people get mail that they signed up for. */
export const news = "{mailReason|You get this email because you signed up for it.}";

/** `Hello {firstName|there}` with `{name|fallback}` as placeholders; other parts as they are. */
function inline(parts: readonly Part[]): object[] {
  return parts.flatMap((part) =>
    typeof part !== "string"
      ? [part]
      : said(part)
          .split(/(\{[\w.]{1,60}(?:\|[^{}|]{0,60})?\})/)
          .flatMap((piece): object[] => {
            const holder = /^\{([\w.]+)(?:\|([^}]*))?\}$/.exec(piece);
            if (holder) {
              return [
                { type: "placeholder", attrs: { name: holder[1], fallback: holder[2] ?? "" } },
              ];
            }
            return piece === "" ? [] : [{ type: "text", text: piece }];
          }),
  );
}

export const link = (text: string, href = ""): object => ({
  type: "text",
  text: said(text),
  ...(href ? { marks: [{ type: "link", attrs: { href } }] } : {}),
});
export const bold = (text: string): object => ({
  type: "text",
  text: said(text),
  marks: [{ type: "bold" }],
});
const lineBreak = { type: "break" };

export const text = (align: Align, ...parts: Part[]) => ({
  type: "paragraph",
  attrs: { align },
  content: inline(parts),
});
export const heading = (level: 1 | 2 | 3, align: Align, ...parts: Part[]) => ({
  type: "heading",
  attrs: { level, align },
  content: inline(parts),
});
export const button = (label: string, align: Align = "left", href = "https://example.com/") => ({
  type: "button",
  attrs: { href, align },
  content: [{ type: "text", text: said(label) }],
});
export const list = (kind: "bullets" | "numbers", ...items: Part[][]) => ({
  type: kind,
  content: items.map((parts) => ({
    type: "item",
    content: [{ type: "paragraph", content: inline(parts) }],
  })),
});
export const divider = { type: "divider" };
export const spacer = (height: number) => ({ type: "spacer", attrs: { height } });
export const section = (background: string, color: string | null, ...content: object[]) => ({
  type: "section",
  attrs: { background, color },
  content,
});
export const columns = (...contents: object[][]) => ({
  type: "columns",
  content: contents.map((content) => ({ type: "column", content })),
});
export const product = (title: string, words: string, price: string) => ({
  type: "product",
  attrs: {
    title: said(title),
    text: said(words),
    price: said(price),
    href: "https://example.com/",
    action: said("See it"),
  },
});
export const condition = (field: string, ...content: object[]) => ({
  type: "condition",
  attrs: { field, operator: "present", value: "" },
  content,
});
export const social = {
  type: "social",
  attrs: {
    align: "center",
    links: [
      { network: "Website", url: "https://example.com/" },
      { network: "Instagram", url: "https://instagram.com/" },
      { network: "LinkedIn", url: "https://linkedin.com/" },
    ],
  },
};
/** A footer without links, for people who are not subscribed yet. */
export const smallPrint = (words: string) => ({
  type: "footer",
  attrs: { align: "left" },
  content: inline([words]),
});
export const footer = (reason: string) => ({
  type: "footer",
  attrs: { align: "center" },
  content: [
    ...inline([reason]),
    lineBreak,
    link("Unsubscribe", "{{ unsubscribeUrl }}"),
    ...inline([" · "]),
    link("Preferences", "{{ preferencesUrl }}"),
    ...inline([" · "]),
    link("View in browser", "{{ viewUrl }}"),
  ],
});

/** Who sends a mail: a campaign, a program when one person did something, or a list or form by itself. */
export type SentBy = "campaign" | "program" | "list";

export interface Starter {
  id: string;
  sentBy: SentBy;
  name: string;
  /** What it is for. */
  hint: string;
  subject: string;
  design: EmailDesign;
}

/** A starter in any of the languages. */
export type StarterIn = (language: StarterLanguage) => Starter;

/** Its name and hint are the dashboard's words, for whoever chooses it; all else is the mail's, in its language. */
export const starter =
  (
    id: string,
    sentBy: SentBy,
    words: readonly [name: string, hint: string],
    subject: string,
    theme: Partial<Theme>,
    content: () => object[],
  ): StarterIn =>
  (wanted) => {
    language = wanted;
    return {
      id,
      sentBy,
      get name() {
        return words[0];
      },
      get hint() {
        return words[1];
      },
      subject: said(subject),
      design: emailDesign.parse({
        type: "doc",
        attrs: { theme, language: wanted },
        content: content(),
      }),
    };
  };
