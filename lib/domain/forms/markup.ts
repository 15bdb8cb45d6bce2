import type { Texts } from "@/lib/ground/texts/texts";
import { inkOn, standardColor } from "@/lib/ground/ink";
import { escapeHtml } from "@/lib/ground/escape-html";
import { appUrls } from "@/lib/mail/tracking/urls";
import type { EntryFault } from "./entry";
import { lookOf, type AskedQuestion, type PublicForm } from "./public-form";
import { labelOf, wordsOf } from "./words";

/*
 * The form as HTML, the same on our page and on the owner's. Nothing in it needs a script, and everything
 * in it that comes from outside is escaped.
 */

/** The trap: people do not see this field, bots fill it in. No browser autofills a field with this name. */
export const trapName = "homepage";

/** What a form shows again when it was submitted but not accepted. */
export interface Refilled {
  values: ReadonlyMap<string, string>;
  faults: ReadonlyMap<string, EntryFault>;
}

export interface FormParts {
  action: string;
  /** Hidden fields: the page's stamp and its language. */
  hidden: Readonly<Record<string, string>>;
  refilled?: Refilled;
  /** Whether the page's script does its proof of work before the form is sent. */
  works?: boolean;
}

const attributes = (values: Readonly<Record<string, string | boolean | undefined>>) =>
  Object.entries(values)
    .map(([name, value]) => {
      if (value === undefined || value === false) return "";
      return value === true ? ` ${name}` : ` ${name}="${escapeHtml(value)}"`;
    })
    .join("");
const element = (
  name: string,
  values: Readonly<Record<string, string | boolean | undefined>>,
  content?: string,
) => `<${name}${attributes(values)}>${content === undefined ? "" : `${content}</${name}>`}`;

interface Writing {
  form: PublicForm;
  texts: Texts;
  prefix: string;
  refilled: Refilled | undefined;
}

const faultWords = ({ texts, refilled }: Writing, key: string): string => {
  const fault = refilled?.faults.get(key);
  return fault === undefined ? "" : texts.text(`form.fault.${fault}`);
};

const inputTypes: Record<AskedQuestion["type"], string> = {
  text: "text",
  number: "text",
  datetime: "date",
  dropdown: "text",
  checkbox: "checkbox",
};

const autocompletes: Record<string, string> = {
  email: "email",
  firstName: "given-name",
  lastName: "family-name",
};

/** Label, control and error. `label` is text, the rest HTML. */
function field(writing: Writing, id: string, key: string, label: string, control: string): string {
  const fault = faultWords(writing, key);
  const said = fault && element("span", { id: `${id}-fault`, class: "fault" }, escapeHtml(fault));
  return element("div", { class: "field" }, element("label", { for: id }, label) + control + said);
}

function choices(writing: Writing, question: AskedQuestion, id: string, label: string): string {
  const { key, options, required } = question;
  const chosen = (writing.refilled?.values.get(key) ?? "").split(",").map((one) => one.trim());
  const fault = faultWords(writing, key);
  const box = (value: string, words: string, index: number) =>
    element(
      "label",
      { class: "choice" },
      element("input", {
        type: "checkbox",
        id: index === 0 ? id : undefined,
        name: key,
        value,
        checked: chosen.includes(value),
        // With `required` on several boxes, a browser would insist on all of them.
        required: required && options.length === 0,
      }) + element("span", {}, words),
    );
  const said = fault && element("span", { class: "fault" }, escapeHtml(fault));
  if (options.length === 0) return element("div", { class: "field" }, box("1", label, 0) + said);
  const boxes = options.map((option, index) => box(option, escapeHtml(option), index)).join("");
  const legend = element("legend", {}, label);
  return element("div", { class: "field" }, element("fieldset", {}, legend + boxes) + said);
}

function control(writing: Writing, question: AskedQuestion, id: string): string {
  const { key, type, options, required } = question;
  const value = writing.refilled?.values.get(key) ?? "";
  const faulty = writing.refilled?.faults.has(key) ?? false;
  const shared = {
    id,
    name: key,
    required,
    "aria-invalid": faulty ? "true" : undefined,
    "aria-describedby": faulty ? `${id}-fault` : undefined,
  };
  if (type === "dropdown" && options.length > 0) {
    const option = (word: string, text: string) =>
      element("option", { value: word, selected: word === value }, escapeHtml(text));
    const first = option("", writing.texts.text("form.choose"));
    return element("select", shared, first + options.map((word) => option(word, word)).join(""));
  }
  return element("input", {
    ...shared,
    type: inputTypes[type],
    value: value || undefined,
    maxlength: type === "datetime" ? undefined : "500",
    inputmode: type === "number" ? "decimal" : undefined,
    autocomplete: autocompletes[key] ?? "off",
    // The field follows the direction of what is typed.
    dir: inputTypes[type] === "text" ? "auto" : undefined,
  });
}

function askedField(writing: Writing, question: AskedQuestion, index: number): string {
  const id = `${writing.prefix}-${index}`;
  const optional = question.required ? "" : ` (${writing.texts.text("form.optional")})`;
  const label = escapeHtml(labelOf(question, writing.texts) + optional);
  return question.type === "checkbox"
    ? choices(writing, question, id, label)
    : field(writing, id, question.key, label, control(writing, question, id));
}

function addressField(writing: Writing): string {
  const id = `${writing.prefix}-email`;
  const faulty = writing.refilled?.faults.has("email") ?? false;
  const input = element("input", {
    id,
    type: "email",
    name: "email",
    value: writing.refilled?.values.get("email") || undefined,
    required: true,
    maxlength: "254",
    autocomplete: "email",
    "aria-invalid": faulty ? "true" : undefined,
    "aria-describedby": faulty ? `${id}-fault` : undefined,
  });
  return field(writing, id, "email", escapeHtml(writing.texts.text("form.email")), input);
}

/** Out of sight and out of the tab order; a screen reader says what it is for. */
function trap({ texts, prefix }: Writing): string {
  const id = `${prefix}-${trapName}`;
  const input = { id, type: "text", name: trapName, tabindex: "-1", autocomplete: "off" };
  return element(
    "div",
    { class: "aside", "aria-hidden": "true" },
    element("label", { for: id }, escapeHtml(texts.text("form.trap"))) + element("input", input),
  );
}

/** Keeps line breaks. */
const lines = (text: string) => escapeHtml(text).replaceAll("\n", "<br>");

/** Distinguishes the form from others on the same page. */
export const classOf = ({ publicId }: PublicForm) => `lm-${publicId.slice(-8)}`;

/** Just the form, from its first question to its button. */
export function formMarkup(form: PublicForm, texts: Texts, parts: FormParts): string {
  const writing: Writing = { form, texts, prefix: classOf(form), refilled: parts.refilled };
  const { consent, button } = wordsOf(form, texts);
  const hidden = Object.entries(parts.hidden).map(([name, value]) =>
    element("input", { type: "hidden", name, value }),
  );
  return element(
    "form",
    { action: parts.action, method: "post", class: "stack", "data-proof": parts.works },
    [
      ...hidden,
      trap(writing),
      addressField(writing),
      ...form.questions.map((question, index) => askedField(writing, question, index)),
      consent && element("p", { class: "field consent" }, element("bdi", {}, lines(consent))),
      element(
        "div",
        { class: "actions" },
        element("button", { type: "submit", class: "primary" }, escapeHtml(button)),
      ),
    ]
      .filter(Boolean)
      .join("\n"),
  );
}

/** The style of a form on somebody else's page: it uses their font, and changes nothing outside the form. */
function snippetStyle(form: PublicForm): string {
  const { color, corner, width, theme } = lookOf(form);
  const control =
    theme === "dark" ? "background:#1c1c1c;color:#f4f4f4" : "background:#fff;color:#111";
  const accent = color ?? standardColor;
  const rules: [string, string][] = [
    ["", `max-inline-size:${width}px;margin:0;font:inherit;line-height:1.5`],
    [" *", "box-sizing:border-box"],
    [" h2", "margin:0 0 .25em;font-size:1.25em"],
    [" p", "margin:0"],
    [" fieldset", "border:0;margin:0;padding:0"],
    [" .field", "margin-block-start:1em"],
    [" label,legend", "display:block;font-weight:600;padding:0"],
    [
      " input[type=text],input[type=email],input[type=date],select",
      `display:block;inline-size:100%;min-block-size:2.75em;margin-block-start:.25em;padding:.5em .75em;border:1px solid #767676;border-radius:${corner}px;${control};font:inherit`,
    ],
    [
      " .choice",
      "display:flex;gap:.6em;align-items:flex-start;font-weight:400;margin-block-start:.5em",
    ],
    [" .consent", "font-size:.875em"],
    [" .actions", "margin-block-start:1em"],
    [
      " button",
      `min-block-size:2.75em;padding:.55em 1.25em;border:0;border-radius:${corner}px;background:${accent};color:${inkOn(accent)};font:inherit;font-weight:600;cursor:pointer`,
    ],
    [
      " .aside",
      "position:absolute;inline-size:1px;block-size:1px;overflow:hidden;clip-path:inset(50%)",
    ],
  ];
  const scoped = (selectors: string) =>
    selectors
      .split(",")
      .map((selector) => `.${classOf(form)} ${selector.trim()}`.trim())
      .join(",");
  return rules.map(([selectors, body]) => `${scoped(selectors)}{${body}}`).join("\n");
}

/**
 * What the owner pastes into a page: a style, the form, and a one-pixel picture that counts
 * how often the form is seen. It has no script and posts to us; we answer with a page.
 */
export function snippetOf(form: PublicForm, texts: Texts): string {
  const { title, lead } = wordsOf(form, texts);
  const url = appUrls.form(form.publicId);
  const heading = element("h2", {}, escapeHtml(title));
  const said = lead && element("p", {}, element("bdi", {}, lines(lead)));
  const body = formMarkup(form, texts, { action: url, hidden: { lang: texts.language } });
  const seen = { src: `${url}/seen.gif`, width: "1", height: "1", alt: "", loading: "lazy" };
  return [
    element("style", {}, `\n${snippetStyle(form)}\n`),
    element(
      "div",
      { class: classOf(form), lang: texts.language, dir: texts.dir },
      ["", ...[heading, said, body, element("img", seen)].filter(Boolean), ""].join("\n"),
    ),
    "",
  ].join("\n");
}
