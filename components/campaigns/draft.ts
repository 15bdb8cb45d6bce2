import type { Campaign, CampaignUpdate } from "@/lib/domain/campaigns/schema";

export type TrackingChoice = "domain" | "on" | "off";

/** A campaign as its form has it: every field a text or a choice. */
export interface Draft {
  name: string;
  subject: string;
  previewText: string;
  from: string;
  fromName: string;
  replyTo: string;
  content: "html" | "template";
  body: string;
  templateId: string;
  audience: "everybody" | "segment" | "list";
  segmentId: string;
  listId: string;
  opens: TrackingChoice;
  clicks: TrackingChoice;
  utm: boolean;
  utmSource: string;
  utmMedium: string;
  utmCampaign: string;
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
    templateId: templateId ?? "",
    audience: segmentId ? "segment" : listId ? "list" : "everybody",
    segmentId: segmentId ?? "",
    listId: listId ?? "",
    opens: choiceOf(tracking.opens),
    clicks: choiceOf(tracking.clicks),
    utm: utm !== null,
    utmSource: utm?.source ?? "newsletter",
    utmMedium: utm?.medium ?? "email",
    utmCampaign: utm?.campaign ?? "",
  };
}

/** What is saved of it, finished or not. */
export function toUpdate(draft: Draft): CampaignUpdate {
  return {
    incomplete: true,
    name: draft.name,
    subject: draft.subject,
    previewText: draft.previewText,
    from: draft.from.trim() || null,
    fromName: draft.fromName,
    replyTo: draft.replyTo.trim() || null,
    ...(draft.content === "html"
      ? { body: draft.body || null, templateId: null }
      : { templateId: draft.templateId || null }),
    segmentId: (draft.audience === "segment" && draft.segmentId) || null,
    listId: (draft.audience === "list" && draft.listId) || null,
    tracking: { opens: valueOf(draft.opens), clicks: valueOf(draft.clicks) },
    utm: draft.utm
      ? { source: draft.utmSource, medium: draft.utmMedium, campaign: draft.utmCampaign }
      : null,
  };
}

export type StepId = "audience" | "sender" | "subject" | "content";

export interface Step {
  id: StepId;
  label: string;
  /** What is still to be done; null: it is done. */
  todo: string | null;
}

/** What has to be there before it can be sent, in the order of the page. */
export function stepsOf(draft: Draft, verifiedDomains: readonly string[]): Step[] {
  const domain = draft.from.trim().split("@").at(-1)?.toLowerCase() ?? "";
  return [
    {
      id: "audience",
      label: "Audience",
      todo:
        draft.audience === "segment" && !draft.segmentId
          ? "Choose a segment"
          : draft.audience === "list" && !draft.listId
            ? "Choose a list"
            : null,
    },
    {
      id: "sender",
      label: "Sender",
      todo: !draft.from.trim()
        ? "Add a sender address"
        : verifiedDomains.includes(domain)
          ? null
          : `${domain || "The domain"} is not verified`,
    },
    {
      id: "subject",
      label: "Subject",
      todo: draft.subject.trim() ? null : "Write a subject",
    },
    {
      id: "content",
      label: "Content",
      todo:
        draft.content === "template"
          ? draft.templateId
            ? null
            : "Choose a template"
          : draft.body.trim()
            ? null
            : "Write the email",
    },
  ];
}
