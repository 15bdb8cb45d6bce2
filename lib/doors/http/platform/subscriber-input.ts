import { isIP } from "node:net";
import { z } from "zod";
import { contactInput, mostTags } from "@/lib/domain/contacts/schema";
import { mostNames } from "@/lib/ground/open-object-schema";
import { contactTags } from "@/lib/domain/lists/field-values";
import { subscriberUpdate } from "@/lib/domain/lists/schema";
import { AppError, isAppError, type FieldError } from "@/lib/ground/errors";
import { validate } from "@/lib/ground/validate";

const name = contactInput.shape.firstName.unwrap().nullish();

const longestTag = 100;

export const tagText = z
  .union([
    z.string().max(mostTags * (longestTag + 2)),
    z.array(z.string().max(longestTag)).max(mostTags, `holds more than ${mostTags} tags`),
  ])
  .meta({
    description: "Comma-separated.",
    example: "vip, early",
  });

const fieldValue = z.union([z.string(), z.number(), z.boolean(), z.null()]);

/** Values by tag: the contact's own, and the list's fields. */
export const subscriberBody = z
  .object({
    EMAIL: z.string().max(320).optional().meta({ example: "ada@example.com" }),
    FIRST_NAME: name.meta({ example: "Ada" }),
    LAST_NAME: name.meta({ example: "Lovelace" }),
    tag: tagText.optional(),
  })
  .catchall(z.unknown())
  .meta({
    id: "SubscriberInput",
    maxProperties: mostNames,
    description: "Other fields of the list go beside these, by their tag.",
  });

export const joiningBody = subscriberBody
  .extend({
    list_uid: z.string().max(100).meta({ example: "lst_01kat4rz8sfq3v6d1mpx3k6w9j" }),
    EMAIL: z.string().max(320).meta({ example: "ada@example.com" }),
    ip_address: z
      .string()
      .max(45)
      .refine((text) => isIP(text) !== 0, "is not an IP address")
      .optional()
      .meta({ description: "Where the person signed up. Default: where the request came from." }),
  })
  .meta({
    id: "SubscriberJoining",
    maxProperties: mostNames,
    description: "Other fields of the list go beside these, by their tag.",
  });

const outerNames: Record<string, string> = {
  email: "EMAIL",
  firstName: "FIRST_NAME",
  lastName: "LAST_NAME",
  tags: "tag",
};

function outerName(path: string): string {
  const inner = path.replace(/^fields\.|\[\d+\]$/g, "");
  return outerNames[inner] ?? inner;
}

/** The tags of `vip, early`: trimmed, each once. */
export function tagsOf(text: z.infer<typeof tagText> | undefined): string[] {
  const parts = (typeof text === "string" ? [text] : (text ?? [])).flatMap((list) =>
    list.split(","),
  );
  return [...new Set(parts.map((part) => part.trim()).filter(Boolean))];
}

const ownNames: readonly string[] = Object.keys(joiningBody.shape);

/** Whether the body names anything that may be a field of a list. */
export function namesFields(body: z.infer<typeof subscriberBody>): boolean {
  return Object.keys(body).some((name) => !ownNames.includes(name));
}

/**
 * The field of a list that a name in the body means; null: none. Tags are kept in capitals, however they were written
 * when the field was made, and may be written so here, too.
 */
function tagNamed(
  name: string,
  body: z.infer<typeof subscriberBody>,
  listTags: readonly string[],
): string | null {
  if (contactTags.includes(name)) return null;
  if (listTags.includes(name)) return name;
  const tag = name.toUpperCase();
  if (ownNames.includes(name) || contactTags.includes(tag) || Object.hasOwn(body, tag)) return null;
  return listTags.includes(tag) ? tag : null;
}

/** The values of the list's own fields, by tag; names that are no field of it are ignored, as is usual for forms. */
function valuesOf(
  body: z.infer<typeof subscriberBody>,
  listTags: readonly string[],
): Record<string, string> {
  const faults: FieldError[] = [];
  const values = Object.entries(body).flatMap(([name, input]): [string, string][] => {
    const tag = tagNamed(name, body, listTags);
    if (tag === null) return [];
    const value = fieldValue.safeParse(input);
    if (!value.success) faults.push({ path: name, message: "must be text, a number or a boolean" });
    if (!value.success) return [];
    if (typeof value.data === "boolean") return [[tag, value.data ? "1" : "0"]];
    return [[tag, value.data === null ? "" : String(value.data)]];
  });
  const [first] = faults;
  if (first) throw new AppError("VALIDATION_ERROR", `${first.path}: ${first.message}`, faults);
  return Object.fromEntries(values);
}

/**
 * A request's values as the domain names them; `listTags` are those of the list's fields. VALIDATION_ERROR names
 * fields as the request does.
 */
export function toSubscriberInput(
  body: z.infer<typeof subscriberBody>,
  listTags: readonly string[],
) {
  const fields = valuesOf(body, listTags);
  const tags = tagsOf(body.tag);
  const input = {
    ...(body.EMAIL === undefined ? {} : { email: body.EMAIL }),
    ...(body.FIRST_NAME === undefined ? {} : { firstName: body.FIRST_NAME ?? "" }),
    ...(body.LAST_NAME === undefined ? {} : { lastName: body.LAST_NAME ?? "" }),
    fields,
  };
  return naming(() => ({
    ...validate(subscriberUpdate, input),
    tags: validate(tagNames, tags, ["tags"]),
  }));
}

/** A request's tags, at least one. Throws VALIDATION_ERROR. */
export function toTags(text: z.infer<typeof tagText>): string[] {
  return naming(() => validate(tagNames.min(1, "is required"), tagsOf(text), ["tags"]));
}

const tagNames = z
  .array(z.string().max(longestTag, `is longer than ${longestTag} characters`))
  .max(mostTags, `holds more than ${mostTags} tags`);

function naming<Result>(work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    if (!isAppError(error) || !error.details) throw error;
    const details = error.details.map(({ path, message }) => ({
      path: outerName(path),
      message,
    }));
    const first = details[0] ?? { path: "", message: error.message };
    throw new AppError(error.code, `${first.path}: ${first.message}`, details);
  }
}
