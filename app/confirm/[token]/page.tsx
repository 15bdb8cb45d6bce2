import type { Metadata } from "next";
import { ConfirmationView } from "@/components/preferences/confirmation-view";
import { UnknownLink } from "@/components/preferences/unknown-link";
import { findConfirmation } from "@/lib/doors/http/public/pages";

export const metadata: Metadata = {
  title: { absolute: "Confirm your subscription" },
  description: null,
  referrer: "no-referrer",
};

/** Changes nothing by being opened: mail scanners open links before people do. */
export default async function ConfirmPage({ params }: { params: Promise<{ token: string }> }) {
  const { token } = await params;
  const confirmation = await findConfirmation(token);
  if (!confirmation) return <UnknownLink />;
  return <ConfirmationView confirmation={confirmation} token={token} />;
}
