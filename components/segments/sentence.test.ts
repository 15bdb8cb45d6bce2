import { describe, expect, it } from "vitest";
import type { SegmentField, SegmentFilter } from "@/lib/domain/segments/schema";
import { sentence } from "./sentence";

const campaign = "campaign.cmp_01kat4rz8sfq3v6d1mpx3k6w9j";
const fields: SegmentField[] = [
  { field: "data.since", kind: "date", values: [] },
  { field: "data.paid", kind: "boolean", values: [] },
  { field: "createdAt", kind: "date", values: [] },
  { field: "list", kind: "list", values: [{ value: "lst_1", label: "News" }] },
  { field: campaign, label: "Launch", kind: "outcome", values: [] },
];
const part = (field: string, op: SegmentFilter["op"], value?: SegmentFilter["value"]) => ({
  field,
  op,
  value,
});

describe("a filter in a sentence", () => {
  it.each<[SegmentFilter, string]>([
    [{ and: [] }, "Everybody."],
    // As a program may write it: no group around the only condition.
    [part("tags", "contains", "green"), "People who have the tag “green”."],
    [
      { and: [part("subscribed", "eq", true), part("data.plan", "eq", "pro")] },
      "People who are subscribed and whose plan is “pro”.",
    ],
    [
      {
        and: [
          part("subscribed", "neq", true),
          { or: [part("tags", "contains", "vip"), part("data.seats", "gt", 100)] },
        ],
      },
      "People who are not subscribed and (who have the tag “vip” or whose seats is more than 100).",
    ],
    [
      { or: [{ and: [part("email", "contains", "@a")] }] },
      "People whose email address contains “@a”.",
    ],
    [{ and: [part("subscribed", "eq", false)] }, "People who are not subscribed."],
    [{ and: [part("tags", "not_contains", "vip")] }, "People who do not have the tag “vip”."],
    [{ and: [part("tags", "in", ["a", "b", "c"])] }, "People who have the tag “a”, “b” or “c”."],
    [{ and: [part("tags", "exists", false)] }, "People who have no tag."],
    [{ and: [part("list", "eq", "lst_1")] }, "People who are on the list “News”."],
    [{ and: [part("list", "exists")] }, "People who are on a list."],
    [{ and: [part("createdAt", "gt", "2026-10-01")] }, "People who were added after 1 Oct 2026."],
    [{ and: [part("lastOpenedAt", "exists", false)] }, "People who have never opened mail."],
    [{ and: [part(campaign, "eq", "sent")] }, "People who were sent the campaign “Launch”."],
    [{ and: [part(campaign, "neq", "opened")] }, "People who did not open the campaign “Launch”."],
    [
      { and: [part(campaign, "eq", "not_opened")] },
      "People who were sent and did not open the campaign “Launch”.",
    ],
    [
      { and: [part("inactiveDays", "gt", 180)] },
      "People who have not opened or clicked for more than 180 days.",
    ],
    [
      { and: [part("engagementScore", "lt", 20)] },
      "People whose engagement score is less than 20.",
    ],
    [
      { and: [{ field: "openedEmails", op: "at_least", value: 3, days: 30 }] },
      "People who opened at least 3 emails in the last 30 days.",
    ],
    [
      {
        and: [
          { field: "clickedEmails", op: "at_most", value: 0, hours: 1 },
          { field: "sentEmails", op: "eq", value: 1 },
          { field: "bouncedEmails", op: "at_most", value: 2, from: "2026-01-01", to: "2026-03-31" },
        ],
      },
      "People who clicked in no email in the last hour and were sent exactly 1 email and had at most 2 emails bounce from 1 Jan 2026 to 31 Mar 2026.".replaceAll(
        " and ",
        " and who ",
      ),
    ],
    [
      {
        or: [
          {
            field: "openedEmails",
            op: "eq",
            value: 0,
            campaign: campaign.slice("campaign.".length),
            from: "",
          },
        ],
      },
      "People who opened no email of the campaign “Launch” from ….",
    ],
    [
      { and: [{ field: "createdAt", op: "in_last", days: 30 }] },
      "People who were added in the last 30 days.",
    ],
    [
      {
        and: [
          { field: "lastOpenedAt", op: "not_in_last", days: 1 },
          { field: "lastSentAt", op: "before_last", hours: 12 },
        ],
      },
      "People who have not opened mail in the last day and who were last sent mail more than 12 hours ago.",
    ],
    [
      { and: [part("data.lastOrderAt", "gt", "2026-01-01")] },
      "People whose lastOrderAt is after 1 Jan 2026.",
    ],
    [
      { or: [{ field: "data.since", op: "in_last", hours: 1 }] },
      "People whose since is in the last hour.",
    ],
    [
      { or: [{ field: "data.since", op: "before_last", days: 365 }] },
      "People whose since is more than 365 days ago.",
    ],
    [
      { or: [{ field: "data.since", op: "not_in_last", days: undefined }] },
      "People whose since is not in the last … days.",
    ],
    [
      { and: [part("email", "ends_with", "@a.io"), part("data.plan", "starts_with", "p")] },
      "People whose email address ends with “@a.io” and whose plan starts with “p”.",
    ],
    [{ and: [part("data.since", "lt", "2026-10-01")] }, "People whose since is before 1 Oct 2026."],
    [{ and: [part("data.paid", "eq", true)] }, "People whose paid is yes."],
    [{ and: [part("data.plan", "exists", false)] }, "People whose plan is not known."],
    // Not filled in yet.
    [{ and: [part("data.plan", "eq", "")] }, "People whose plan is …."],
    [{ and: [part("data.plan", "in", ["a", 2])] }, "People whose plan is “a” or 2."],
  ])("%j", (filter, expected) => expect(sentence(filter, fields)).toBe(expected));
});
