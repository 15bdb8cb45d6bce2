import type { CountField } from "@/lib/domain/segments/condition-schema";
import { phrases, t } from "@/lib/ground/texts/t";
import type { Choice } from "./fields";

/* Clauses of the sentences about filters: each is whole, since languages order its words differently. */

/** What a campaign's email came to. */
export const outcomes: Record<string, [did: string, didNot: string]> = phrases({
  sent: ["were sent", "were not sent"],
  opened: ["opened", "did not open"],
  clicked: ["clicked in", "did not click in"],
  bounced: ["bounced in", "did not bounce in"],
  delivered: ["received", "did not receive"],
  complained: ["reported as spam", "did not report as spam"],
  unsubscribed: ["unsubscribed through", "did not unsubscribe through"],
  not_opened: ["were sent and did not open", "did not leave unopened"],
  not_clicked: ["were sent and did not click in", "did not leave unclicked"],
});

/** Numbers derived from mail, with `more than 20`. */
export const measures: Record<string, (amount: string) => string> = {
  engagementScore: (amount) => t("whose engagement score is {amount}", { amount }),
  inactiveDays: (amount) => t("who have not opened or clicked for {amount} days", { amount }),
  ignoredEmails: (amount) => t("who left {amount} emails of the last 180 days unread", { amount }),
};

/** `more than 20` */
export function amountWords(choice: Choice, values: string): string {
  if (choice === "gt") return t("more than {values}", { values });
  if (choice === "lt") return t("less than {values}", { values });
  return choice === "neq" ? t("other than {values}", { values }) : values;
}

interface CountClauses {
  /** With `at least 3 emails`. */
  ever: (emails: string) => string;
  /** With `in the last 30 days`. */
  within: (emails: string, period: string) => string;
}

export const counts: Record<CountField, CountClauses> = {
  sentEmails: {
    ever: (emails) => t("who were sent {emails}", { emails }),
    within: (emails, period) => t("who were sent {emails} {period}", { emails, period }),
  },
  openedEmails: {
    ever: (emails) => t("who opened {emails}", { emails }),
    within: (emails, period) => t("who opened {emails} {period}", { emails, period }),
  },
  clickedEmails: {
    ever: (emails) => t("who clicked in {emails}", { emails }),
    within: (emails, period) => t("who clicked in {emails} {period}", { emails, period }),
  },
  bouncedEmails: {
    ever: (emails) => t("who had {emails} bounce", { emails }),
    within: (emails, period) => t("who had {emails} bounce {period}", { emails, period }),
  },
};

interface EventClauses {
  ever: () => string;
  never: () => string;
  /** With `in the last 30 days`. */
  did: (period: string) => string;
  didNot: (period: string) => string;
  /** With `after 1 Oct 2026` or `more than 30 days ago`. */
  last: (when: string) => string;
}

export const events: Record<string, EventClauses> = {
  createdAt: {
    ever: () => t("who were added at some time"),
    never: () => t("who were never added"),
    did: (when) => t("who were added {when}", { when }),
    didNot: (when) => t("who were not added {when}", { when }),
    last: (when) => t("who were added {when}", { when }),
  },
  updatedAt: {
    ever: () => t("who were changed at some time"),
    never: () => t("who were never changed"),
    did: (when) => t("who were changed {when}", { when }),
    didNot: (when) => t("who were not changed {when}", { when }),
    last: (when) => t("who were last changed {when}", { when }),
  },
  lastSentAt: {
    ever: () => t("who were sent mail at some time"),
    never: () => t("who were never sent mail"),
    did: (when) => t("who were sent mail {when}", { when }),
    didNot: (when) => t("who were not sent mail {when}", { when }),
    last: (when) => t("who were last sent mail {when}", { when }),
  },
  lastOpenedAt: {
    ever: () => t("who have opened mail"),
    never: () => t("who have never opened mail"),
    did: (when) => t("who opened mail {when}", { when }),
    didNot: (when) => t("who have not opened mail {when}", { when }),
    last: (when) => t("who last opened mail {when}", { when }),
  },
  lastClickedAt: {
    ever: () => t("who have clicked a link"),
    never: () => t("who have never clicked a link"),
    did: (when) => t("who clicked a link {when}", { when }),
    didNot: (when) => t("who have not clicked a link {when}", { when }),
    last: (when) => t("who last clicked a link {when}", { when }),
  },
  lastSeenAt: {
    ever: () => t("who have opened mail or clicked a link"),
    never: () => t("who have never opened mail or clicked a link"),
    did: (when) => t("who opened mail or clicked a link {when}", { when }),
    didNot: (when) => t("who have not opened mail or clicked a link {when}", { when }),
    last: (when) => t("who last opened mail or clicked a link {when}", { when }),
  },
};

/** `whose plan starts with “p”` */
export function comparison(choice: Choice, words: { field: string; values: string }): string {
  switch (choice) {
    case "neq":
      return t("whose {field} is not {values}", words);
    case "contains":
      return t("whose {field} contains {values}", words);
    case "not_contains":
      return t("whose {field} does not contain {values}", words);
    case "starts_with":
      return t("whose {field} starts with {values}", words);
    case "ends_with":
      return t("whose {field} ends with {values}", words);
    case "gt":
      return t("whose {field} is more than {values}", words);
    case "lt":
      return t("whose {field} is less than {values}", words);
    case "at_least":
      return t("whose {field} is at least {values}", words);
    case "at_most":
      return t("whose {field} is at most {values}", words);
    case "exists":
      return t("whose {field} is known", words);
    case "missing":
      return t("whose {field} is not known", words);
    default:
      return t("whose {field} is {values}", words);
  }
}
