/** What the columns of other products' exports become where their names alone would not say it. */
interface OtherExport {
  /** Headings that tell it from other files. */
  knownBy: readonly string[];
  columns: Readonly<Record<string, string>>;
}

const otherExports: readonly OtherExport[] = [
  // https://listmonk.app: "Export" on the page of subscribers.
  {
    knownBy: ["uuid", "email", "attributes", "status"],
    columns: { uuid: "skip", attributes: "attributes", status: "subscribed" },
  },
  // https://mailchimp.com/help/view-export-contacts: a ZIP with a file for each state of people.
  {
    knownBy: ["MEMBER_RATING", "LEID", "EUID"],
    columns: {
      UNSUB_TIME: "unsubscribed",
      CLEAN_TIME: "unsubscribed",
      UNSUB_CAMPAIGN_TITLE: "skip",
      UNSUB_CAMPAIGN_ID: "skip",
      UNSUB_REASON: "skip",
      UNSUB_REASON_OTHER: "skip",
      CLEAN_CAMPAIGN_TITLE: "skip",
      CLEAN_CAMPAIGN_ID: "skip",
      GMTOFF: "skip",
      DSTOFF: "skip",
      LAST_CHANGED: "skip",
      LEID: "skip",
      EUID: "skip",
    },
  },
];

/** The columns of the product whose export has this header; empty for other files. */
export function otherExportColumns(header: readonly string[]): Readonly<Record<string, string>> {
  const found = otherExports.find(({ knownBy }) => knownBy.every((name) => header.includes(name)));
  return found?.columns ?? {};
}

/**
 * Whether a file, by its name, is of people whom campaigns must not reach. Mailchimp says so of those who never
 * subscribed by nothing else.
 */
export const holdsUnsubscribed = (filename: string): boolean =>
  /^(unsubscribed|nonsubscribed|cleaned)_/i.test(filename);
