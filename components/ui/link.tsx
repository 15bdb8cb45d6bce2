import NextLink from "next/link";
import type { ComponentProps } from "react";

/** Of a link within a text. */
export const textLink =
  "font-medium text-accent-ink underline decoration-from-font underline-offset-4";

/**
 * A link to a page of ours, fetched when it is followed and not before: pages are made for their reader at that moment,
 * so that each link in view would cost a request for nothing but an outline.
 */
export const Link = (props: ComponentProps<typeof NextLink>) => (
  <NextLink prefetch={false} {...props} />
);
