import { invalid } from "@/lib/ground/errors";

/** Resend's names of what is known of a recipient, in lower case. */
const known: Readonly<Record<string, string>> = {
  first_name: "firstName",
  last_name: "lastName",
  email: "email",
  "contact.first_name": "firstName",
  "contact.last_name": "lastName",
  "contact.email": "email",
  resend_unsubscribe_url: "unsubscribeUrl",
};

const placeholder = /\{\{\{([^{}]{0,300})\}\}\}/g;

function nameOf(name: string): string | null {
  const variable = known[name.toLowerCase()];
  if (variable) return variable;
  const [scope, property = ""] = name.split(".", 2);
  return scope === "contact" && /^[A-Za-z_]\w{0,99}$/.test(property) ? property : null;
}

/**
 * Resend's placeholders in Liquid: `{{{FIRST_NAME|there}}}` is `{{ firstName | default: "there" }}`. Throws
 * VALIDATION_ERROR for one that stands for nothing here: Liquid would leave nothing in its place.
 */
export function inLiquid(text: string, field: string): string {
  return text.replace(placeholder, (whole: string, inside: string) => {
    const [name = "", ...rest] = inside.split("|");
    const variable = nameOf(name.trim());
    const fallback = rest.join("|").trim();
    if (!variable || /["\\]/.test(fallback)) {
      throw invalid(field, `has the placeholder ${whole}, which stands for nothing here`);
    }
    return rest.length === 0 ? `{{ ${variable} }}` : `{{ ${variable} | default: "${fallback}" }}`;
  });
}
