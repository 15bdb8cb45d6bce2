import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { ContactView } from "@/components/contacts/contact-view";
import {
  timelineKind,
  timelinePage,
  timelineParameter,
} from "@/components/contacts/timeline-words";
import { findMergedInto } from "@/lib/domain/contact-merges/find";
import { getContact } from "@/lib/domain/contacts/contacts";
import { listSubscriptionChanges } from "@/lib/domain/contacts/consent-history";
import { listTimeline } from "@/lib/domain/contact-story/timeline";
import { getEngagement } from "@/lib/domain/engagement/read";
import { getProjectSettings } from "@/lib/domain/projects/settings";
import { storyEnds } from "@/lib/domain/retention/words";
import { t } from "@/lib/ground/texts/t";
import { foundOr404 } from "../../../found-or-404";
import type { SearchParams } from "../../../search-params";
import { openProject } from "../../../session";

export function generateMetadata(): Metadata {
  return { title: t("Contact") };
}

export default async function ContactPage({
  params,
  searchParams,
}: {
  params: Promise<{ project: string; contact: string }>;
  searchParams: SearchParams;
}) {
  const { project, contact } = await params;
  const { context } = await openProject(project);
  const id = decodeURIComponent(contact);
  // Bookmarks and links in other programs still name the one that is gone.
  const keptId = await findMergedInto(context, id);
  if (keptId !== null) redirect(`/dashboard/${project}/contacts/${keptId}`);
  const person = await foundOr404(getContact(context, id));
  const kind = timelineKind([(await searchParams)[timelineParameter]].flat()[0]);
  const [timeline, history, engagement, { retention }] = await Promise.all([
    listTimeline(context, person.id, { limit: timelinePage, ...(kind && { kinds: kind }) }),
    listSubscriptionChanges(context, person.id, { limit: 20 }),
    getEngagement(context, person.id),
    getProjectSettings(context),
  ]);
  return (
    <ContactView
      key={person.id}
      initial={person}
      timeline={timeline}
      timelineKind={kind}
      timelineEnds={storyEnds(retention)}
      history={history}
      engagement={engagement}
    />
  );
}
