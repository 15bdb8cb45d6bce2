import type { Block, Condition } from "@/lib/mail/design/schema";

/** What people call the fields that every contact has. */
const knownFields: Record<string, string> = {
  firstName: "first name",
  lastName: "last name",
  email: "email address",
  tags: "tags",
  mailReason: "why they get it",
  listName: "list name",
  projectName: "project name",
  confirmUrl: "confirmation link",
};

/** `data.favourite_colour` as `favourite colour`. */
export const fieldWords = (name: string) =>
  knownFields[name] ?? name.replace(/^data\./, "").replaceAll("_", " ");

export const operatorWords: Record<Condition["attrs"]["operator"], string> = {
  present: "has a value",
  absent: "is empty",
  eq: "is",
  ne: "is not",
  contains: "contains",
  gt: "is greater than",
  lt: "is less than",
};

/** Whether an operator compares with something. */
export const takesValue = (operator: Condition["attrs"]["operator"]) =>
  operator !== "present" && operator !== "absent";

/** `Only if plan is pro` */
export function conditionLabel({ field, operator, value }: Condition["attrs"]): string {
  return `Only if ${fieldWords(field)} ${operatorWords[operator]}${takesValue(operator) ? ` ${value || "…"}` : ""}`;
}

export type BlockName = Block["type"] | "column" | "item" | "placeholder";

export const blockNames: Record<BlockName, string> = {
  paragraph: "Text",
  heading: "Heading",
  bullets: "Bulleted list",
  numbers: "Numbered list",
  item: "List item",
  button: "Button",
  image: "Image",
  divider: "Divider",
  spacer: "Spacer",
  social: "Social links",
  footer: "Footer",
  product: "Product",
  html: "HTML",
  columns: "Columns",
  column: "Column",
  section: "Section",
  condition: "Condition",
  placeholder: "Placeholder",
};
