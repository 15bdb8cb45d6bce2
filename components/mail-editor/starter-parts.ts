import { emailDesign, type EmailDesign, type Theme } from "@/lib/mail/design/schema";

/* The parts that starter designs are put together from. */

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
      : part.split(/(\{[\w.]{1,60}(?:\|[^{}|]{0,60})?\})/).flatMap((piece): object[] => {
          const holder = /^\{([\w.]+)(?:\|([^}]*))?\}$/.exec(piece);
          if (holder) {
            return [{ type: "placeholder", attrs: { name: holder[1], fallback: holder[2] ?? "" } }];
          }
          return piece === "" ? [] : [{ type: "text", text: piece }];
        }),
  );
}

export const link = (text: string, href = ""): object => ({
  type: "text",
  text,
  ...(href ? { marks: [{ type: "link", attrs: { href } }] } : {}),
});
export const bold = (text: string): object => ({ type: "text", text, marks: [{ type: "bold" }] });
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
export const button = (label: string, align: Align = "left", look: object = {}) => ({
  type: "button",
  attrs: { href: "https://example.com/", align, ...look },
  content: [{ type: "text", text: label }],
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
  attrs: { title, text: words, price, href: "https://example.com/", action: "See it" },
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

export interface Starter {
  id: string;
  name: string;
  /** What it is for. */
  hint: string;
  subject: string;
  design: EmailDesign;
}

/** Its name and hint are the dashboard's words; all else is the mail's, which is English. */
export const starter = (
  id: string,
  words: readonly [name: string, hint: string],
  subject: string,
  theme: Partial<Theme>,
  content: object[],
): Starter => ({
  id,
  get name() {
    return words[0];
  },
  get hint() {
    return words[1];
  },
  subject,
  design: emailDesign.parse({ type: "doc", attrs: { theme }, content }),
});
