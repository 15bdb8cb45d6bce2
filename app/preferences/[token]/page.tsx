import type { Metadata } from "next";
import { QuietPage } from "@/components/shell/plain-page";
import { PreferencesView } from "@/components/preferences/preferences-view";
import { UnknownLink } from "@/components/preferences/unknown-link";
import { findPreferences } from "@/lib/doors/http/public/pages";

export const metadata: Metadata = {
  title: { absolute: "Email preferences" },
  description: null,
  referrer: "no-referrer",
};

/** Changes nothing by being opened: mail scanners open links before people do. */
export default async function PreferencesPage({
  params,
  searchParams,
}: {
  params: Promise<{ token: string }>;
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}) {
  const [{ token }, query] = await Promise.all([params, searchParams]);
  const preferences = await findPreferences(token);
  if (preferences === null) return <UnknownLink />;
  if (preferences === "deleted") {
    return (
      <QuietPage
        title="Nothing to do"
        lead="Your address has been deleted here. Nothing more will be sent to it."
      />
    );
  }
  const text = (value: string | string[] | undefined) => (typeof value === "string" ? value : null);
  return (
    <PreferencesView
      preferences={preferences}
      token={token}
      visit={{
        unsubscribe: query["unsubscribe"] !== undefined,
        done: text(query["done"]),
        list: text(query["list"]),
      }}
    />
  );
}
