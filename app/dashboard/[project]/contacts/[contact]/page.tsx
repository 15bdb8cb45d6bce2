import type { Metadata } from "next";
import { ContactView } from "@/components/contacts/contact-view";
import { getContact } from "@/lib/domain/contacts/contacts";
import { listSubscriptionChanges } from "@/lib/domain/contacts/consent-history";
import { listEmails } from "@/lib/domain/emails/read";
import { getEngagement } from "@/lib/domain/engagement/read";
import { listInbound } from "@/lib/domain/inbound/read";
import { foundOr404 } from "../../../found-or-404";
import { openProject } from "../../../session";

export const metadata: Metadata = { title: "Contact" };

export default async function ContactPage({
  params,
}: {
  params: Promise<{ project: string; contact: string }>;
}) {
  const { project, contact } = await params;
  const { context } = await openProject(project);
  const person = await foundOr404(getContact(context, decodeURIComponent(contact)));
  const [emails, received, history, engagement] = await Promise.all([
    listEmails(context, { search: person.email, limit: 20 }),
    listInbound(context, { contactId: person.id, limit: 20 }),
    listSubscriptionChanges(context, person.id, { limit: 20 }),
    getEngagement(context, person.id),
  ]);
  return (
    <ContactView
      key={person.id}
      initial={person}
      emails={emails}
      received={received}
      history={history}
      engagement={engagement}
    />
  );
}
