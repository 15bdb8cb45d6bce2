/** Examples of the document's campaigns. */
const content = {
  name: "November news",
  subject: "News for {{ firstName | default: 'you' }}",
  previewText: "What is new, and what is next",
};
const html =
  "<h1>Hello {{ firstName }}</h1><p><a href='https://example.com/new'>What is new</a></p>";

const noFigures = {
  recipients: 0,
  pending: 0,
  sent: 0,
  delivered: 0,
  opened: 0,
  clicked: 0,
  bounced: 0,
  complained: 0,
  unsubscribed: 0,
  failed: 0,
  deliveryConfirmed: false,
  deliveryRate: 0,
  bounceRate: 0,
  openRate: 0,
  clickRate: 0,
  complaintRate: 0,
  unsubscribeRate: 0,
  machineOpens: 0,
  machineClicks: 0,
};

const figures = {
  recipients: 1204,
  pending: 0,
  sent: 1190,
  delivered: 1188,
  opened: 594,
  clicked: 132,
  bounced: 10,
  complained: 1,
  unsubscribed: 3,
  failed: 4,
  deliveryConfirmed: true,
  deliveryRate: 0.99,
  bounceRate: 0.0083,
  openRate: 0.5,
  clickRate: 0.1111,
  complaintRate: 0.0008,
  unsubscribeRate: 0.0025,
  machineOpens: 210,
  machineClicks: 18,
};

const draftSummary = {
  id: "cmp_01kat4rz8sfq3v6d1mpx3k6w9j",
  status: "DRAFT",
  ...content,
  from: "news@example.com",
  fromName: "Example",
  replyTo: null,
  templateId: null,
  segmentId: "seg_01kat4rz8sfq3v6d1mpx3k6w9j",
  listId: null,
  tracking: { opens: null, clicks: null },
  utm: { source: "newsletter", medium: "email" },
  scheduledAt: null,
  timeZone: "Europe/Berlin",
  topicId: null,
  personalTime: null,
  sendBefore: null,
  startedAt: null,
  pausedAt: null,
  audienceDoneAt: null,
  finishedAt: null,
  failureReason: null,
  guard: null,
  abTestPhase: null,
  audienceComplete: false,
  test: false,
  createdAt: "2026-11-21T09:00:00.000Z",
  updatedAt: "2026-11-21T09:20:00.000Z",
};

export const draftCampaignExample = {
  ...draftSummary,
  body: html,
  design: null,
  text: null,
  waitsFor: null,
  abTest: null,
  stats: { ...noFigures, links: [] },
  abTestResult: null,
};

const abTest = {
  variants: [
    { subject: "What is new in November" },
    { subject: "Three things we built for you", previewText: "The second one is a surprise" },
  ],
  testPercentage: 20,
  winnerMetric: "opens",
  winnerAfterMinutes: 240,
};
const testedVariant = {
  previewText: content.previewText,
  fromName: "Example",
  delivered: 1000,
  bounced: 0,
  complained: 0,
  unsubscribed: 1,
};

const sentSummary = {
  ...draftSummary,
  status: "SENT",
  audienceComplete: true,
  startedAt: "2026-11-21T09:30:00.000Z",
  audienceDoneAt: null,
  finishedAt: "2026-11-21T09:31:12.000Z",
};

export const campaignSummaryExample = { ...sentSummary, stats: figures };

export const campaignExample = {
  ...sentSummary,
  body: html,
  design: null,
  text: null,
  waitsFor: null,
  abTest: null,
  stats: {
    ...figures,
    links: [{ url: "https://example.com/new", clicks: 171, uniqueClicks: 132 }],
  },
  abTestResult: null,
};

/** One whose winner was found. */
export const testedCampaignExample = {
  ...campaignExample,
  subject: abTest.variants[0]?.subject,
  abTestPhase: "done",
  abTest: {
    ...abTest,
    variants: abTest.variants.map(({ subject, previewText }) => ({
      subject,
      previewText: previewText ?? null,
      fromName: null,
      body: null,
      design: null,
    })),
  },
  abTestResult: {
    phase: "done",
    winnerMetric: "opens",
    testRecipients: 2000,
    decidesAt: "2026-11-21T13:31:12.000Z",
    winner: "B",
    decidedAt: "2026-11-21T13:31:12.000Z",
    outcome: "clear_winner",
    winnerProbability: 1,
    explanation:
      "B won: it is best with a probability of more than 99.9% (A 400 of 1,000, B 500 of 1,000 opened).",
    variants: [
      {
        variant: "A",
        subject: abTest.variants[0]?.subject,
        ...testedVariant,
        recipients: 1000,
        sent: 1000,
        opened: 400,
        clicked: 61,
        openRate: 0.4,
        clickRate: 0.061,
        probabilityToBeBest: 0,
      },
      {
        variant: "B",
        subject: abTest.variants[1]?.subject,
        ...testedVariant,
        previewText: abTest.variants[1]?.previewText,
        recipients: 1000,
        sent: 1000,
        opened: 500,
        clicked: 80,
        openRate: 0.5,
        clickRate: 0.08,
        probabilityToBeBest: 1,
      },
    ],
  },
};

export const campaignExamples = {
  create: {
    segment: {
      summary: "For a segment",
      value: {
        ...content,
        from: "news@example.com",
        fromName: "Example",
        htmlBody: html,
        segmentId: draftSummary.segmentId,
      },
    },
    everybody: {
      summary: "For everybody subscribed, from a template",
      value: {
        name: content.name,
        subject: content.subject,
        from: { email: "news@example.com", name: "Example" },
        templateId: "tpl_01kat4rz8sfq3v6d1mpx3k6w9j",
        tracking: { opens: false },
        utm: { source: "newsletter", medium: "email", campaign: "november" },
      },
    },
    abTest: {
      summary: "With an A/B test of the subject",
      value: {
        name: content.name,
        from: "news@example.com",
        htmlBody: html,
        abTest,
      },
    },
    incomplete: {
      summary: "A draft to be finished later",
      value: { name: content.name, incomplete: true },
    },
  },
  update: {
    subject: { summary: "Another subject", value: { subject: "What is new" } },
    audience: {
      summary: "For a list instead of a segment",
      value: { listId: "lst_01kat4rz8sfq3v6d1mpx3k6w9j" },
    },
    time: {
      summary: "Another time, while it is scheduled",
      value: { scheduledAt: "2026-11-25T08:00:00Z" },
    },
  },
  send: {
    now: { summary: "At once", value: {} },
    later: { summary: "At a time", value: { scheduledAt: "2026-11-24T08:00:00Z" } },
  },
  schedule: {
    morning: {
      summary: "On Tuesday morning",
      value: { scheduledAt: "2026-11-24T09:00:00+01:00", timeZone: "Europe/Berlin" },
    },
  },
  winner: { second: { summary: "The second variant", value: { variant: "B" } } },
  test: {
    two: { summary: "Two people", value: { to: ["ada@example.com", "grace@example.com"] } },
  },
};
