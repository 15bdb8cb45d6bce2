import type { Executor } from "@/db/client";
import type { AbTest } from "@/db/schema/campaigns";
import { changedAbTest, variantPath } from "@/lib/domain/ab-tests/settings";
import { settleAlias, toMailbox } from "@/lib/domain/emails/normalize";
import { designAfter, designedContent } from "@/lib/mail/content/designed";
import { invalid, noSuch } from "@/lib/ground/errors";
import { decodeId } from "@/lib/ground/ids/ids";
import { findFilter, hasList, hasTopic } from "./audience";
import { hasTemplate, type CampaignRow } from "./readiness";
import type { CampaignInput, CampaignUpdate } from "./schema";

/** Everything a sender chooses, as it is before they have chosen. */
export const blankContent = {
  name: "Untitled campaign",
  subject: "",
  previewText: "",
  fromEmail: "",
  fromName: "",
  replyTo: null,
  html: null,
  design: null,
  text: null,
  templateId: null,
  segmentId: null,
  listId: null,
  topicId: null,
  trackOpens: null,
  trackClicks: null,
  utm: null,
  timeZone: null,
  personalTime: null,
  sendBefore: null,
  abTest: null,
};

export type ContentKey = keyof typeof blankContent;
type Changes = Partial<Pick<CampaignRow, ContentKey>>;

/**
 * The stored id of something a campaign refers to, null for nothing; throws NOT_FOUND when the project does not
 * have it.
 */
async function referenced(
  kind: "segment" | "list" | "template" | "topic",
  id: string | null,
  exists: (uuid: string) => Promise<boolean>,
): Promise<string | null> {
  if (id === null) return null;
  const uuid = decodeId(kind, id);
  if (!uuid || !(await exists(uuid))) throw noSuch(`${kind}Id`, kind);
  return uuid;
}

/** The input with its HTML, and that of its variants, replaced by that of their designs. */
export function withDesignedBody<Input extends CampaignInput | CampaignUpdate>(
  input: Input,
): Input {
  const { variants } = input.abTest ?? {};
  const abTest = variants && {
    abTest: {
      ...input.abTest,
      variants: variants.map((variant, index) =>
        variant.design
          ? { ...variant, ...designedContent(variant, `${variantPath(index)}design`) }
          : variant,
      ),
    },
  };
  if (!input.design) return { ...input, ...abTest };
  const { htmlBody: _htmlBody, html: _html, ...rest } = input;
  return { ...rest, ...designedContent({ design: input.design }), ...abTest } as Input;
}

/** The campaign's subject is that of the first variant: a new list of variants sets it too. */
function testChanges(input: CampaignInput | CampaignUpdate, before: AbTest | null): Changes {
  const subject = input.subject === undefined ? {} : { subject: input.subject };
  if (input.abTest === null) return { ...subject, abTest: null };
  if (input.abTest !== undefined) {
    const abTest = changedAbTest(before, input.abTest);
    const [first] = abTest.variants;
    if (input.abTest.variants && first) return { subject: first.subject, abTest };
    return { ...subject, abTest: withSubject(abTest, input.subject) };
  }
  return before === null ? subject : { ...subject, abTest: withSubject(before, input.subject) };
}

function withSubject(test: AbTest, subject: string | undefined): AbTest {
  if (subject === undefined) return test;
  const variants = test.variants.map((variant, index) =>
    index === 0 ? { ...variant, subject } : variant,
  );
  return { ...test, variants };
}

function sender(input: Pick<CampaignInput, "from" | "fromName">): Changes {
  if (input.from === undefined) {
    return input.fromName === undefined ? {} : { fromName: input.fromName.trim() };
  }
  if (input.from === null) return { fromEmail: "", fromName: input.fromName?.trim() ?? "" };
  const from = toMailbox(input.from);
  const fromName = input.fromName?.trim();
  if (fromName !== undefined && from.name && from.name !== fromName) {
    throw invalid("fromName", "and the name in from have different values");
  }
  const name = fromName ?? from.name;
  // A bare address leaves the name as it is.
  return { fromEmail: from.email, ...(name || fromName !== undefined ? { fromName: name } : {}) };
}

/**
 * The columns an input sets. Fields that exclude each other replace each other: content and template (the template
 * wins when both are given), segment and list. Throws VALIDATION_ERROR, NOT_FOUND.
 */
export async function changesOf(
  executor: Executor,
  projectId: string,
  input: CampaignInput | CampaignUpdate,
  before: Pick<CampaignRow, "abTest" | "html" | "design"> = blankContent,
): Promise<Changes> {
  const changes: Changes = { ...sender(input), ...testChanges(input, before.abTest) };
  if (input.name !== undefined) changes.name = input.name;
  if (input.previewText !== undefined) changes.previewText = input.previewText;
  if (input.text !== undefined) changes.text = input.text;
  if (input.timeZone !== undefined) changes.timeZone = input.timeZone;
  if (input.personalTime !== undefined) {
    changes.personalTime = input.personalTime && {
      mode: input.personalTime.mode,
      at: input.personalTime.at ?? "09:00",
    };
  }
  if (input.sendBefore !== undefined) {
    changes.sendBefore = input.sendBefore === null ? null : new Date(input.sendBefore);
  }
  if (input.utm !== undefined) changes.utm = input.utm && withoutUndefined(input.utm);
  if (input.tracking?.opens !== undefined) changes.trackOpens = input.tracking.opens;
  if (input.tracking?.clicks !== undefined) changes.trackClicks = input.tracking.clicks;
  const replyTo = settleAlias(input, ["replyTo", "reply"]);
  if (replyTo !== undefined) changes.replyTo = replyTo;

  const html = settleAlias(input, ["body", "htmlBody", "html"]);
  if (html !== undefined) changes.html = html;
  changes.design = designAfter(
    { body: before.html, design: before.design },
    { body: html, design: input.design },
  );
  if (typeof html === "string" && html.trim()) changes.templateId = null;
  if (input.templateId !== undefined) {
    changes.templateId = await referenced("template", input.templateId, (uuid) =>
      hasTemplate(executor, projectId, uuid),
    );
    if (changes.templateId !== null) changes.html = changes.design = null;
  }

  if (input.segmentId !== undefined) {
    changes.segmentId = await referenced(
      "segment",
      input.segmentId,
      async (uuid) => (await findFilter(executor, projectId, uuid)) !== null,
    );
    if (changes.segmentId !== null) changes.listId = null;
  }
  if (input.listId !== undefined) {
    const listId = await referenced("list", input.listId, (uuid) =>
      hasList(executor, projectId, uuid),
    );
    changes.listId = listId;
    if (listId !== null) changes.segmentId = null;
  }
  if (input.topicId !== undefined) {
    changes.topicId = await referenced("topic", input.topicId, (uuid) =>
      hasTopic(executor, projectId, uuid),
    );
  }
  return changes;
}

function withoutUndefined(utm: NonNullable<CampaignInput["utm"]>): CampaignRow["utm"] {
  return Object.fromEntries(
    Object.entries(utm).filter((entry): entry is [string, string] => Boolean(entry[1])),
  );
}
