import NextLink from "next/link";
import type { ComponentProps } from "react";

/**
 * A link to a page of ours, fetched when it is followed and not before: pages are made for their reader at that moment,
 * so that each link in view would cost a request for nothing but an outline.
 */
export const Link = (props: ComponentProps<typeof NextLink>) => (
  <NextLink prefetch={false} {...props} />
);
