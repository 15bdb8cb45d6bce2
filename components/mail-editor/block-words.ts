import { phrases, t } from "@/lib/ground/texts/t";
import type { Block, Condition } from "@/lib/mail/design/schema";

/** What people call the fields that every contact has. */
const knownFields: Record<string, string> = phrases({
  firstName: "first name",
  lastName: "last name",
  email: "email address",
  tags: "tags",
  mailReason: "why they get it",
  listName: "list name",
  projectName: "project name",
  confirmUrl: "confirmation link",
});

/** `data.favourite_colour` as `favourite colour`. */
export const fieldWords = (name: string) =>
  knownFields[name] ?? name.replace(/^data\./, "").replaceAll("_", " ");

type Operator = Condition["attrs"]["operator"];

export const operatorWords: Record<Operator, string> = phrases({
  present: "has a value",
  absent: "is empty",
  eq: "is",
  ne: "is not",
  contains: "contains",
  gt: "is greater than",
  lt: "is less than",
});

/** Whether an operator compares with something. */
export const takesValue = (operator: Operator) => operator !== "present" && operator !== "absent";

const conditions: Record<Operator, (said: { field: string; value: string }) => string> = {
  present: (said) => t("Only if {field} has a value", said),
  absent: (said) => t("Only if {field} is empty", said),
  eq: (said) => t("Only if {field} is {value}", said),
  ne: (said) => t("Only if {field} is not {value}", said),
  contains: (said) => t("Only if {field} contains {value}", said),
  gt: (said) => t("Only if {field} is greater than {value}", said),
  lt: (said) => t("Only if {field} is less than {value}", said),
};

/** `Only if plan is pro` */
export const conditionLabel = ({ field, operator, value }: Condition["attrs"]): string =>
  conditions[operator]({ field: fieldWords(field), value: value || "…" });

export type BlockName = Block["type"] | "column" | "item" | "placeholder";

export const blockNames: Record<BlockName, string> = phrases({
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
});
