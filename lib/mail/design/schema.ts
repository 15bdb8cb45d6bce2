import { z } from "zod";

/*
 * An email as the visual editor keeps it: a tree of blocks, from which the HTML is made. Its shape is that of
 * the editor's own document. No kind of block holds itself, so the depth has a bound.
 *
 *   document > condition > section > columns > column > simple blocks > text
 */

export const mostBlocks = 200;
const mostInline = 400;
const longestText = 20_000;
const longestUrl = 2_000;

export const colour = z.string().regex(/^#[0-9a-f]{6}$/i, "is not a colour like #c4351a");
export const size = (least: number, most: number) =>
  z.int(`is not a whole number`).min(least, `is below ${least}`).max(most, `is above ${most}`);

/** A name that Liquid can read: `firstName`, `data.plan`. */
const fieldName = z
  .string()
  .max(200)
  .regex(/^[A-Za-z_][\w-]*(\.[A-Za-z_][\w-]*)*$/, "is not the name of a field");
/** Goes between quotes in Liquid. */
const quotable = z
  .string()
  .max(500)
  .regex(/^(?:[^'{}%]*|[^"{}%]*)$/, "holds both kinds of quotation marks, or { } %");

/** Where a link may lead; empty while it is being written. */
export const linkTarget = z
  .string()
  .max(longestUrl)
  .regex(/^(?:$|https?:\/\/|mailto:|tel:|\{\{)/i, "is not a web address, mailto: or tel:");
const pictureSource = z
  .string()
  .max(longestUrl)
  .regex(/^(?:$|https?:\/\/|\{\{)/i, "is not a web address");
/** Where a picture is for everybody: without placeholders, which only some mail has. */
export const pictureAddress = z
  .string()
  .min(1, "is empty")
  .max(longestUrl)
  .regex(/^https?:\/\/[^{}]*$/i, "is not a web address");

const alignment = z.enum(["left", "center", "right"]);

const marks = z
  .array(
    z.discriminatedUnion("type", [
      z.strictObject({ type: z.literal("bold") }),
      z.strictObject({ type: z.literal("italic") }),
      z.strictObject({ type: z.literal("underline") }),
      z.strictObject({ type: z.literal("strike") }),
      z.strictObject({ type: z.literal("color"), attrs: z.strictObject({ color: colour }) }),
      z.strictObject({ type: z.literal("link"), attrs: z.strictObject({ href: linkTarget }) }),
    ]),
  )
  .max(10)
  .optional();

const text = z.strictObject({
  type: z.literal("text"),
  text: z.string().min(1).max(longestText),
  marks,
});
const placeholder = z.strictObject({
  type: z.literal("placeholder"),
  attrs: z.strictObject({ name: fieldName, fallback: quotable.default("") }),
  marks,
});
const lineBreak = z.strictObject({ type: z.literal("break"), marks });

const inline = z
  .array(z.discriminatedUnion("type", [text, placeholder, lineBreak]))
  .max(mostInline)
  .optional();
const label = z
  .array(z.discriminatedUnion("type", [text, placeholder]))
  .max(20)
  .optional();

const aligned = z.strictObject({ align: alignment.default("left") }).default({ align: "left" });

const paragraph = z.strictObject({
  type: z.literal("paragraph"),
  attrs: aligned,
  content: inline,
});
const listItems = z
  .array(z.strictObject({ type: z.literal("item"), content: z.array(paragraph).min(1).max(20) }))
  .min(1)
  .max(mostBlocks);

export const networks = [
  ...["Website", "Facebook", "Instagram", "X", "LinkedIn", "YouTube", "TikTok", "Mastodon"],
  ...["Bluesky", "Threads", "GitHub", "WhatsApp"],
] as const;

const simpleBlocks = [
  paragraph,
  z.strictObject({
    type: z.literal("heading"),
    attrs: z.strictObject({ level: size(1, 3), align: alignment.default("left") }),
    content: inline,
  }),
  z.strictObject({ type: z.literal("bullets"), content: listItems }),
  z.strictObject({ type: z.literal("numbers"), content: listItems }),
  z.strictObject({
    type: z.literal("button"),
    attrs: z.strictObject({
      href: linkTarget.default(""),
      align: alignment.default("left"),
      background: colour.nullable().default(null),
      color: colour.nullable().default(null),
    }),
    content: label,
  }),
  z.strictObject({
    type: z.literal("image"),
    attrs: z.strictObject({
      src: pictureSource.default(""),
      alt: z.string().max(500).default(""),
      href: linkTarget.default(""),
      align: alignment.default("center"),
      /** Pixels; null: as wide as there is room for. */
      width: size(16, 800).nullable().default(null),
    }),
  }),
  z.strictObject({ type: z.literal("divider") }),
  z.strictObject({
    type: z.literal("spacer"),
    attrs: z.strictObject({ height: size(4, 200) }),
  }),
  z.strictObject({
    type: z.literal("social"),
    attrs: z.strictObject({
      align: alignment.default("center"),
      links: z
        .array(z.strictObject({ network: z.enum(networks), url: linkTarget }))
        .max(networks.length),
    }),
  }),
  z.strictObject({ type: z.literal("footer"), attrs: aligned, content: inline }),
  z.strictObject({
    type: z.literal("product"),
    attrs: z.strictObject({
      src: pictureSource.default(""),
      alt: z.string().max(500).default(""),
      title: z.string().max(500).default(""),
      text: z.string().max(2_000).default(""),
      price: z.string().max(100).default(""),
      href: linkTarget.default(""),
      action: z.string().max(100).default(""),
    }),
  }),
  z.strictObject({
    type: z.literal("html"),
    attrs: z.strictObject({ html: z.string().max(500_000) }),
  }),
] as const;

const simple = z.discriminatedUnion("type", simpleBlocks);
export type SimpleBlock = z.output<typeof simple>;

const columns = z.strictObject({
  type: z.literal("columns"),
  content: z
    .array(
      z.strictObject({
        type: z.literal("column"),
        /** Its share of the whole, relative to the other columns' shares. */
        attrs: z.strictObject({ share: size(1, 6) }).default({ share: 1 }),
        content: z.array(simple).min(1).max(mostBlocks),
      }),
    )
    .min(2)
    .max(4),
});
export type Columns = z.output<typeof columns>;

const inSection = z.discriminatedUnion("type", [...simpleBlocks, columns]);
const section = z.strictObject({
  type: z.literal("section"),
  attrs: z.strictObject({ background: colour, color: colour.nullable().default(null) }),
  content: z.array(inSection).min(1).max(mostBlocks),
});

const operators = ["present", "absent", "eq", "ne", "contains", "gt", "lt"] as const;
const inCondition = z.discriminatedUnion("type", [...simpleBlocks, columns, section]);
const condition = z.strictObject({
  type: z.literal("condition"),
  attrs: z.strictObject({
    field: fieldName,
    operator: z.enum(operators),
    value: quotable.default(""),
  }),
  content: z.array(inCondition).min(1).max(mostBlocks),
});
export type Condition = z.output<typeof condition>;

const block = z.discriminatedUnion("type", [...simpleBlocks, columns, section, condition]);
export type Block = z.output<typeof block>;

/** One below the other, as the outermost blocks of an email. */
export const blocks = z.array(block).min(1, "holds no block").max(mostBlocks);

export const fonts = ["sans", "rounded", "serif", "slab", "mono"] as const;
const font = z.enum(fonts);

/** How the whole email looks. */
export const theme = z.strictObject({
  /** Pixels. */
  width: size(320, 800).default(600),
  background: colour.default("#f2f0eb"),
  sheet: colour.default("#ffffff"),
  text: colour.default("#26211c"),
  /** Buttons and links. */
  accent: colour.default("#b52f15"),
  onAccent: colour.default("#ffffff"),
  font: font.default("sans"),
  headingFont: font.default("sans"),
  /** Pixels, of buttons and of the sheet. */
  radius: size(0, 32).default(4),
});
export type Theme = z.output<typeof theme>;
export const defaultTheme: Theme = theme.parse({});

/** An email of the visual editor. */
export const emailDesign = z.strictObject({
  type: z.literal("doc"),
  attrs: z.strictObject({
    theme,
    /** Of its words, BCP 47; absent: English. */
    language: z
      .string()
      .max(35)
      .regex(/^[a-z]{2,3}(?:-[a-z0-9]{2,8}){0,3}$/i, "is not the code of a language")
      .optional(),
  }),
  content: blocks,
});
export type EmailDesign = z.output<typeof emailDesign>;

export type Inline = NonNullable<z.output<typeof inline>>[number];
