"use client";

import { MailCheck, MailX } from "lucide-react";
import { messageOf } from "@/components/api/faults";
import { NotUpToDate } from "@/components/list/not-up-to-date";
import { useApi } from "@/components/api/use-api";
import { useRead } from "@/components/api/use-read";
import { DeleteThing } from "@/components/shell/delete-thing";
import { useMay, useProjectPath } from "@/components/api/project-context";
import { useAction } from "@/components/form/use-action";
import { Button } from "@/components/ui/button";
import { CopyableCode } from "@/components/ui/copy-button";
import { Facts } from "@/components/ui/facts";
import { PageHeader, Section } from "@/components/ui/page-header";
import { ExactTime } from "@/components/ui/relative-time";
import { toast } from "@/components/ui/toast";
import type { ApiAnswer } from "@/lib/doors/http/client";
import type { Contact } from "@/lib/domain/contacts/schema";
import { ContactEmails } from "./contact-emails";
import { ContactForm } from "./contact-form";
import { Subscription } from "./subscription";

/** One person: what is known about them, whether campaigns reach them, and every email they got. */
export function ContactView({
  initial,
  emails,
}: {
  initial: Contact;
  emails: ApiAnswer<"GET /v1/emails">;
}) {
  const path = useProjectPath();
  const may = useMay("editor");
  const reading = useRead(
    "GET /v1/contacts/{id}",
    { params: { id: initial.id } },
    { initial, every: 30_000 },
  );
  const contact = reading.data;
  const name = `${contact.firstName} ${contact.lastName}`.trim();
  return (
    <>
      <PageHeader
        title={name || contact.email}
        back={{ href: path("contacts"), label: "Contacts" }}
        meta={
          <>
            <Subscription subscribed={contact.subscribed} />
            {name && <span className="text-sm wrap-anywhere text-soft">{contact.email}</span>}
            <CopyableCode text={contact.id} what="contact id" />
          </>
        }
        actions={
          may && (
            <>
              <DeleteContact contact={contact} />
              <ChangeSubscription contact={contact} />
            </>
          )
        }
      />
      <NotUpToDate of={reading} />
      <div className="grid gap-x-10 gap-y-9 lg:grid-cols-2">
        <Section title="About">
          <ContactForm contact={contact} />
          <div className="mt-6 border-t pt-2">
            <Facts
              items={[
                { label: "Added", value: <ExactTime value={contact.createdAt} /> },
                { label: "Last changed", value: <ExactTime value={contact.updatedAt} /> },
              ]}
            />
          </div>
        </Section>
        <div>
          <ContactEmails contact={contact} initial={emails} />
        </div>
      </div>
    </>
  );
}

function ChangeSubscription({ contact }: { contact: Contact }) {
  const api = useApi();
  const change = useAction({
    mutationFn: (subscribed: boolean) =>
      api("PATCH /v1/contacts/{id}", { params: { id: contact.id }, body: { subscribed } }),
    onSuccess: (_, subscribed) => {
      toast.success(subscribed ? "Campaigns reach them again" : "Campaigns no longer reach them", {
        action: { label: "Undo", run: () => change.mutate(!subscribed) },
      });
    },
    onError: (error) => toast.error("Nothing was changed", { description: messageOf(error) }),
  });
  return (
    <Button
      variant={contact.subscribed ? "secondary" : "primary"}
      pending={change.isPending}
      onClick={() => change.mutate(!contact.subscribed)}
    >
      {contact.subscribed ? <MailX aria-hidden /> : <MailCheck aria-hidden />}
      {contact.subscribed ? "Unsubscribe" : "Subscribe"}
    </Button>
  );
}

function DeleteContact({ contact }: { contact: Contact }) {
  const api = useApi();
  return (
    <DeleteThing
      kind="contact"
      name={contact.email}
      list="contacts"
      remove={() => api("DELETE /v1/contacts/{id}", { params: { id: contact.id } })}
    >
      This permanently deletes the address, name, tags and custom data, also in the email log.
      Waiting mail is not sent; figures of sent mail stay. If the address is imported again, it is
      not subscribed unless the file says so.
    </DeleteThing>
  );
}
