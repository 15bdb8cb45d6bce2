import type { Difference } from "@/components/form/conflict";
import type { Groups } from "@/components/form/merge";
import type { Campaign, CampaignUpdate } from "@/lib/domain/campaigns/schema";
import { designText } from "@/components/mail-editor/design-text";
import type { EmailDesign } from "@/lib/mail/design/schema";
import { phrases, t } from "@/lib/ground/texts/t";
import type { Timing } from "./timing-words";
import {
  abTestTodo,
  toAbTestDraft,
  toAbTestUpdate,
  variantText,
  type AbTestDraft,
} from "./variants";

/** Fields of an A/B test that the server may refuse. */
export const abTestPaths = [
  "abTest",
  ...["variants", "testPercentage", "winnerMetric", "winnerAfterMinutes"].map(
    (name) => `abTest.${name}`,
  ),
  ...[0, 1, 2, 3, 4].flatMap((index) =>
    ["subject", "previewText", "fromName", "body", "design"].map(
      (name) => `abTest.variants[${index}].${name}`,
    ),
  ),
];

export type TrackingChoice = "domain" | "on" | "off";

/** A campaign as its form has it: every field a text or a choice, its A/B variants kept apart. */
export interface Draft extends AbTestDraft {
  name: string;
  subject: string;
  previewText: string;
  from: string;
  fromName: string;
  replyTo: string;
  content: "html" | "template";
  body: string;
  /** What `body` was made from in the visual editor; null: it was written as HTML. */
  design: EmailDesign | null;
  templateId: string;
  audience: "everybody" | "segment" | "list";
  segmentId: string;
  listId: string;
  topicId: string;
  opens: TrackingChoice;
  clicks: TrackingChoice;
  utm: boolean;
  utmSource: string;
  utmMedium: string;
  utmCampaign: string;
  timing: "together" | "local" | "reader";
  /** HH:MM */
  localTime: string;
  /** ISO time; empty: there is no deadline. */
  sendBefore: string;
}

const choiceOf = (value: boolean | null): TrackingChoice =>
  value === null ? "domain" : value ? "on" : "off";
const valueOf = (choice: TrackingChoice) => (choice === "domain" ? null : choice === "on");

export function toDraft(campaign: Campaign): Draft {
  const { utm, tracking, segmentId, listId, templateId } = campaign;
  return {
    name: campaign.name,
    subject: campaign.subject,
    previewText: campaign.previewText,
    from: campaign.from,
    fromName: campaign.fromName,
    replyTo: campaign.replyTo ?? "",
    content: templateId ? "template" : "html",
    body: campaign.body ?? "",
    design: campaign.design as EmailDesign | null,
    templateId: templateId ?? "",
    audience: segmentId ? "segment" : listId ? "list" : "everybody",
    segmentId: segmentId ?? "",
    listId: listId ?? "",
    topicId: campaign.topicId ?? "",
    opens: choiceOf(tracking.opens),
    clicks: choiceOf(tracking.clicks),
    utm: utm !== null,
    utmSource: utm?.source ?? "newsletter",
    utmMedium: utm?.medium ?? "email",
    utmCampaign: utm?.campaign ?? "",
    timing: campaign.personalTime?.mode ?? "together",
    localTime: campaign.personalTime?.at ?? "09:00",
    sendBefore: campaign.sendBefore ?? "",
    ...toAbTestDraft(campaign.abTest),
  };
}

const abTestFields = [
  ...(["abTest", "variants", "testPercentage"] as const),
  ...(["winnerMetric", "winnerAfterMinutes"] as const),
];

/** Fields that only mean something together. */
export const draftGroups: Groups<Draft> = [
  ["from", "fromName"],
  ["content", "body", "design", "templateId"],
  ["audience", "segmentId", "listId"],
  ["utm", "utmSource", "utmMedium", "utmCampaign"],
  ["timing", "localTime"],
  abTestFields,
];

/** The update that saves these fields, finished or not. */
export function toUpdate(draft: Draft, fields: readonly (keyof Draft)[]): CampaignUpdate {
  const any = (...names: (keyof Draft)[]) => names.some((name) => fields.includes(name));
  return {
    incomplete: true,
    ...(any("name") ? { name: draft.name } : {}),
    ...(any("subject") ? { subject: draft.subject } : {}),
    ...(any("previewText") ? { previewText: draft.previewText } : {}),
    ...(any("from", "fromName")
      ? { from: draft.from.trim() || null, fromName: draft.fromName }
      : {}),
    ...(any("replyTo") ? { replyTo: draft.replyTo.trim() || null } : {}),
    ...(any("content", "body", "design", "templateId") ? contentOf(draft) : {}),
    ...(any("audience", "segmentId", "listId")
      ? {
          segmentId: (draft.audience === "segment" && draft.segmentId) || null,
          listId: (draft.audience === "list" && draft.listId) || null,
        }
      : {}),
    ...(any("topicId") ? { topicId: draft.topicId || null } : {}),
    ...(any("opens", "clicks")
      ? {
          tracking: {
            ...(any("opens") ? { opens: valueOf(draft.opens) } : {}),
            ...(any("clicks") ? { clicks: valueOf(draft.clicks) } : {}),
          },
        }
      : {}),
    ...(any("utm", "utmSource", "utmMedium", "utmCampaign") ? { utm: utmOf(draft) } : {}),
    ...(any("timing", "localTime") ? { personalTime: personalTimeOf(draft) } : {}),
    ...(any("sendBefore") ? { sendBefore: draft.sendBefore || null } : {}),
    ...(any(...abTestFields) ? { abTest: toAbTestUpdate(draft) } : {}),
  };
}

/** The server makes the HTML of a design itself. */
const contentOf = ({ content, body, design, templateId }: Draft) =>
  content === "html"
    ? { ...(design ? { design } : { body: body || null, design: null }), templateId: null }
    : { templateId: templateId || null };

const utmOf = ({ utm, utmSource, utmMedium, utmCampaign }: Draft) =>
  utm ? { source: utmSource, medium: utmMedium, campaign: utmCampaign } : null;

const personalTimeOf = ({ timing, localTime }: Draft) =>
  timing === "together" ? null : { mode: timing, at: localTime };

/** Who gets it when. */
export function timingOf(draft: Draft): Timing {
  return { abTest: toAbTestUpdate(draft), personalTime: personalTimeOf(draft) };
}

const labels: Record<Exclude<keyof Draft, "name">, string> = phrases({
  subject: "Subject",
  previewText: "Preview text",
  from: "Sender address",
  fromName: "Sender name",
  replyTo: "Reply to",
  content: "Content",
  body: "HTML",
  design: "Blocks",
  templateId: "Template",
  audience: "Audience",
  segmentId: "Segment",
  listId: "List",
  topicId: "Topic",
  opens: "Count opens",
  clicks: "Count clicks",
  utm: "UTM parameters",
  utmSource: "UTM source",
  utmMedium: "UTM medium",
  utmCampaign: "UTM campaign",
  timing: "When people get it",
  localTime: "Local time",
  sendBefore: "Latest time",
  abTest: "A/B test",
  variants: "A/B variants",
  testPercentage: "Test share",
  winnerMetric: "Winner decided by",
  winnerAfterMinutes: "Minutes until the winner",
});

const tracking: Record<TrackingChoice, string> = phrases({
  domain: "domain",
  on: "on",
  off: "off",
});
/** The choices of a field in words; content as HTML is called that everywhere. */
const choices: Partial<Record<keyof Draft, Readonly<Record<string, string>>>> = {
  content: phrases({ template: "template" }),
  audience: phrases({ everybody: "everybody", segment: "segment", list: "list" }),
  opens: tracking,
  clicks: tracking,
  timing: phrases({ together: "together", local: "local", reader: "reader" }),
  winnerMetric: phrases({ opens: "opens", clicks: "clicks" }),
};

/** Both texts of fields in conflict, where they differ; `nameOf` gives the name for an id. */
export function differencesOf(
  fields: readonly (keyof Draft)[],
  mine: Draft,
  theirs: Draft,
  nameOf: (id: string) => string,
): Difference[] {
  const text = (draft: Draft, field: keyof Draft) => {
    if (field === "design") return designText(draft.design);
    const value = draft[field];
    if (typeof value === "boolean") return value ? t("yes") : t("no");
    if (typeof value === "object") {
      return value.map(variantText).filter(Boolean).join("\n\n");
    }
    return field.endsWith("Id") ? nameOf(value) : (choices[field]?.[value] ?? value);
  };
  return fields
    .filter((field) => text(mine, field) !== text(theirs, field))
    .map((field) => ({
      label: field === "name" ? t("Name") : labels[field],
      mine: text(mine, field),
      theirs: text(theirs, field),
    }));
}

export type StepId = "audience" | "sender" | "subject" | "content";

export interface Step {
  id: StepId;
  label: string;
  /** What is still to be done; null: it is done. */
  todo: string | null;
}

/** What is needed before it can be sent, in the order of the page. */
export function stepsOf(
  draft: Draft,
  verifiedDomains: readonly string[],
  /** Whether the server refuses what is written in a field. */
  isRefused: (field: string) => boolean = () => false,
): Step[] {
  const refusal = (...fields: string[]) => (fields.some(isRefused) ? t("Fix the error") : null);
  const domain = draft.from.trim().split("@").at(-1)?.toLowerCase() ?? "";
  return [
    {
      id: "audience",
      label: t("Audience"),
      todo:
        draft.audience === "segment" && !draft.segmentId
          ? t("Choose a segment")
          : draft.audience === "list" && !draft.listId
            ? t("Choose a list")
            : null,
    },
    {
      id: "sender",
      label: t("Sender"),
      todo: !draft.from.trim()
        ? t("Add a sender address")
        : verifiedDomains.includes(domain)
          ? refusal("from", "fromName", "replyTo")
          : domain
            ? t("{domain} is not verified", { domain })
            : t("The domain is not verified"),
    },
    {
      id: "subject",
      label: t("Subject"),
      todo: draft.subject.trim()
        ? (refusal("subject", "previewText", ...abTestPaths) ?? abTestTodo(draft))
        : t("Write a subject"),
    },
    {
      id: "content",
      label: t("Content"),
      todo:
        draft.content === "template"
          ? draft.templateId
            ? refusal("templateId")
            : t("Choose a template")
          : draft.body.trim()
            ? refusal("body")
            : t("Write the email"),
    },
  ];
}
