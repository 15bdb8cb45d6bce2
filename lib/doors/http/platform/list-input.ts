import { z } from "zod";
import { listFieldTypes } from "@/db/enums";
import { AppError, invalid, isAppError, type FieldError } from "@/lib/ground/errors";
import { countryCode } from "@/lib/ground/geo/countries";
import { listFieldInput, listInput } from "@/lib/domain/lists/schema";
import { validate } from "@/lib/ground/validate";
import { flag, isOn, textFor } from "./values";

const { shape } = listInput;
const contactShape = shape.contact.unwrap().shape;

const contactBody = z
  .object({
    company: textFor(contactShape.company).nullish(),
    state: textFor(contactShape.state).nullish(),
    address_1: textFor(contactShape.address_1).nullish(),
    address_2: textFor(contactShape.address_2).nullish(),
    city: textFor(contactShape.city).nullish(),
    zip: textFor(contactShape.zip).nullish(),
    country_id: z
      .union([textFor(contactShape.country_id), z.int()])
      .nullish()
      .meta({ description: "ISO 3166-1: three digits (276) or two letters (DE).", example: "276" }),
    email: textFor(contactShape.email).nullish(),
    url: textFor(contactShape.url).nullish(),
    phone: textFor(contactShape.phone).nullish(),
  })
  .meta({ id: "ListContactInput", description: "Who runs the list, with postal address." });

export const listBody = z
  .object({
    name: textFor(shape.name).meta({ example: "News" }),
    from_email: z.string().max(320).meta({ example: "news@example.com" }),
    from_name: textFor(shape.fromName).nullish(),
    default_subject: textFor(shape.defaultSubject).nullish(),
    remind_message: textFor(shape.remindMessage)
      .nullish()
      .meta({ description: "Why people get this mail, in one sentence." }),
    contact: contactBody.nullish(),
    subscribe_confirmation: flag.optional().meta({
      description: '"1": members stay unconfirmed until they follow the link in an email.',
    }),
    send_welcome_email: flag
      .optional()
      .meta({ description: '"1": new members get a welcome email.' }),
    unsubscribe_notification: flag
      .optional()
      .meta({ description: '"1": the list\'s contact is told when somebody unsubscribes.' }),
    confirmation_template_uid: z.string().max(100).nullish().meta({
      description:
        "The template that the email with the link is written with: it links to {{ confirmUrl }}. If absent, ours is sent.",
    }),
    welcome_template_uid: z.string().max(100).nullish().meta({
      description: "The template that the welcome email is written with. If absent, ours is sent.",
    }),
  })
  .meta({ id: "ListInput" });

const mostChoices = 200;
const longestChoice = 200;
const choices = z
  .array(z.string().max(longestChoice))
  .max(mostChoices, `holds more than ${mostChoices} choices`);

export const fieldBody = z
  .object({
    type: z
      .string()
      .max(50)
      .meta({ description: listFieldTypes.join(", "), example: "text" }),
    label: textFor(listFieldInput.shape.label).meta({ example: "Company" }),
    tag: z.string().max(100).meta({
      description: "The field's name in requests; stored in capitals.",
      example: "COMPANY",
    }),
    default_value: z.union([textFor(listFieldInput.shape.defaultValue), z.number()]).nullish(),
    required: flag.optional(),
    visible: flag.optional(),
    options: z
      .union([z.string().max(mostChoices * (longestChoice + 2)), choices])
      .optional()
      .meta({ description: "Choices of a dropdown or of checkboxes; a list or comma-separated." }),
  })
  .meta({ id: "FieldInput" });

/** What this surface calls the fields of the domain's input. */
const outerNames: Record<string, string> = {
  fromEmail: "from_email",
  fromName: "from_name",
  defaultSubject: "default_subject",
  remindMessage: "remind_message",
  defaultValue: "default_value",
  confirmationTemplateId: "confirmation_template_uid",
  welcomeTemplateId: "welcome_template_uid",
};

/** Makes the domain's faults name fields as the caller did. */
function renaming<Result>(work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    throw renamed(error);
  }
}

/** The domain's fault, with its fields named as the caller did. */
export function renamed(error: unknown): unknown {
  if (!isAppError(error) || !error.details) return error;
  const details: FieldError[] = error.details.map(({ path, message }) => ({
    path: outerNames[path] ?? path,
    message,
  }));
  const first = details[0] ?? { path: "", message: error.message };
  return new AppError(error.code, `${first.path}: ${first.message}`, details);
}

/** Leaves out what is absent, null or "", which a form sends for an empty field. */
function withoutBlanks(value: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(value).filter(
      ([, field]) => field !== undefined && field !== null && field !== "",
    ),
  );
}

export function toListInput(body: z.infer<typeof listBody>) {
  const contact = withoutBlanks(body.contact ?? {});
  const countryId = body.contact?.country_id?.toString();
  if (countryId && countryCode(countryId) === null) {
    throw invalid("contact.country_id", "is not an ISO 3166-1 country (like 276 or DE)");
  }
  return renaming(() =>
    validate(
      listInput,
      withoutBlanks({
        name: body.name,
        fromEmail: body.from_email,
        fromName: body.from_name,
        defaultSubject: body.default_subject,
        remindMessage: body.remind_message,
        contact: countryId ? { ...contact, country_id: countryId } : contact,
        subscribeConfirmation: isOn(body.subscribe_confirmation),
        sendWelcomeEmail: isOn(body.send_welcome_email),
        unsubscribeNotification: isOn(body.unsubscribe_notification),
        confirmationTemplateId: body.confirmation_template_uid,
        welcomeTemplateId: body.welcome_template_uid,
      }),
    ),
  );
}

export function toFieldInput(body: z.infer<typeof fieldBody>) {
  const options = typeof body.options === "string" ? body.options.split(",") : body.options;
  return renaming(() =>
    validate(
      listFieldInput,
      withoutBlanks({
        tag: body.tag,
        label: body.label,
        type: body.type,
        defaultValue: body.default_value?.toString(),
        options: options?.map((option) => option.trim()),
        required: isOn(body.required),
        visible: body.visible === undefined || isOn(body.visible),
      }),
    ),
  );
}
