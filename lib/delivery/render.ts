import {
  compileTemplate,
  contactVariables,
  renderTemplate,
  type CompiledTemplate,
} from "@/lib/templates/liquid";
import type { AddressedEmail } from "./claim";
import type { MessageContent } from "./contents";
import { textFromHtml, textTemplateFromHtml } from "./plain-text";

/** What one person gets. */
export interface RenderedContent {
  subject: string;
  html: string | null;
  text: string | null;
}

interface CompiledMessage {
  subject: CompiledTemplate;
  html: CompiledTemplate | null;
  /** null: made from the rendered HTML. */
  text: CompiledTemplate | null;
}

const compiled = new WeakMap<MessageContent, CompiledMessage>();

function compile(message: MessageContent): CompiledMessage {
  const known = compiled.get(message);
  if (known) return known;
  const made: CompiledMessage = {
    subject: compileTemplate(message.subject, "subject", "subject"),
    html: message.html === null ? null : compileTemplate(message.html, "html", "body"),
    text:
      message.text !== null
        ? compileTemplate(message.text, "text", "text")
        : message.html !== null
          ? textTemplateFromHtml(message.html)
          : null,
  };
  compiled.set(message, made);
  return made;
}

/** Renders for one recipient. Throws VALIDATION_ERROR where the template is wrong or out of bounds. */
export function renderContent(message: MessageContent, email: AddressedEmail): RenderedContent {
  if (!message.liquid) {
    const { subject, html, text } = message;
    return { subject, html, text: text ?? (html === null ? null : textFromHtml(html)) };
  }
  const templates = compile(message);
  const variables = contactVariables(email.contact, message.data);
  // Dates in templates read the email's own time: a re-send says the same.
  const render = (template: CompiledTemplate) =>
    renderTemplate(template, variables, email.createdAt);
  const html = templates.html ? render(templates.html) : null;
  return {
    subject: render(templates.subject),
    html,
    text: templates.text ? render(templates.text) : html === null ? null : textFromHtml(html),
  };
}
