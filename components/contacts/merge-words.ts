import type {
  MergeChoice,
  MergeInput,
  MergePerson,
  MergePreview,
} from "@/lib/domain/contact-merges/schema";
import { phrases, t } from "@/lib/ground/texts/t";
import { attributeText } from "./attributes";

type Fields = NonNullable<MergeInput["fields"]>;

/** A field that both have, with different values. */
export interface Difference {
  key: string;
  label: string;
  contact: string;
  other: string;
  chosen: (fields: Fields) => MergeChoice;
  choose: (fields: Fields, side: MergeChoice) => Fields;
}

const texts = phrases({ email: "Email", firstName: "First name", lastName: "Last name" });
const longest = 120;

function shown(value: unknown): string {
  const text = attributeText(value);
  return text.length > longest ? `${text.slice(0, longest)}…` : text;
}

/** Where somebody has to choose: of what only one of the two has, nothing is lost. */
export function differences(contact: MergePerson, other: MergePerson): Difference[] {
  const ofTexts = (Object.keys(texts) as (keyof typeof texts)[]).flatMap((field): Difference[] => {
    const [mine, theirs] = [contact[field], other[field]];
    if (mine === "" || theirs === "" || mine === theirs) return [];
    return [
      {
        ...{ key: field, label: texts[field], contact: mine, other: theirs },
        chosen: (fields) => fields[field] ?? "contact",
        choose: (fields, side) => ({ ...fields, [field]: side }),
      },
    ];
  });
  const ofData = Object.keys(contact.data).flatMap((key): Difference[] => {
    if (!Object.hasOwn(other.data, key)) return [];
    const [mine, theirs] = [contact.data[key], other.data[key]].map(shown) as [string, string];
    if (attributeText(contact.data[key]) === attributeText(other.data[key])) return [];
    return [
      {
        ...{ key: `data.${key}`, label: key, contact: mine, other: theirs },
        chosen: ({ data }) => data?.[key] ?? "contact",
        choose: (fields, side) => ({ ...fields, data: { ...fields.data, [key]: side } }),
      },
    ];
  });
  return [...ofTexts, ...ofData];
}

const objected = (state: MergePerson["state"]) =>
  state === "unsubscribed" || state === "complaint" || state === "manual";

/** What a merge takes away, in sentences. */
export function lossWords({ contact, other, result }: MergePreview): string[] {
  const former = result.email === contact.email ? other.email : contact.email;
  const names = new Map(contact.lists.map(({ id, status }) => [id, status]));
  const left = result.lists.filter(({ id, status }) => {
    const before = [names.get(id), other.lists.find((list) => list.id === id)?.status];
    return status !== "subscribed" && before.includes("subscribed");
  });
  return [
    t(
      "{email} is no contact any more. Links in mail sent there keep working, and act for this person.",
      { email: former },
    ),
    t("Values that do not stay are lost, but for those of this contact, which its timeline keeps."),
    ...(objected(result.state) && [contact, other].some(({ state }) => state === "reachable")
      ? [t("One of the two does not want your mail: campaigns reach neither address any more.")]
      : []),
    ...(left.length > 0
      ? [
          t("Taken off {lists}: one of the two has left.", {
            lists: left.map(({ name }) => name).join(", "),
          }),
        ]
      : []),
  ];
}
