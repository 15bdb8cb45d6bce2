import type { Overview } from "@/lib/domain/overview/schema";

export const ways = ["campaigns", "application"] as const;
/** What somebody wants to send: campaigns, or mail from a program. */
export type Way = (typeof ways)[number];

/** How a reader looks at the checklist. */
export interface SetUpView {
  /** null: they have not chosen. */
  way: Way | null;
  folded: boolean;
}

/** Of the project whose Overview has its path. */
export const setUpCookie = "set-up";
const foldedMark = "folded";

/** What the cookie says; anything else counts for nothing. */
export function parseSetUpView(value: string | undefined): SetUpView {
  const words = value?.split(".") ?? [];
  return {
    way: ways.find((way) => words.includes(way)) ?? null,
    folded: words.includes(foldedMark),
  };
}

export const setUpViewText = ({ way, folded }: SetUpView): string =>
  [way, folded ? foldedMark : null].filter((word) => word !== null).join(".");

/** Remembers it for a year, for the project's Overview at `path`. Browser only. */
export function keepSetUpView(view: SetUpView, path: string): void {
  document.cookie = `${setUpCookie}=${setUpViewText(view)}; path=${path}; max-age=31536000; samesite=lax`;
}

/**
 * Which way somebody has begun; null: neither. A key says nothing, since the first start makes one for everybody. Whom
 * a program writes to becomes a contact, too: mail says more than people do.
 */
export function begunWay({
  campaignId,
  firstEmailId,
  contacts,
}: Pick<Overview["setUp"], "campaignId" | "firstEmailId" | "contacts">): Way | null {
  if (campaignId !== null) return "campaigns";
  if (firstEmailId !== null) return "application";
  return contacts ? "campaigns" : null;
}
