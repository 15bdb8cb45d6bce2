"use client";

import { MailCheck, MailX } from "lucide-react";
import { Fragment, useState } from "react";
import { messageOf } from "@/components/api/faults";
import { NotUpToDate } from "@/components/list-page/not-up-to-date";
import { useApi } from "@/components/api/use-api";
import { useRead } from "@/components/api/use-read";
import { DeleteThing } from "@/components/shell/delete-button";
import { useMay, useProjectPath } from "@/components/api/project-context";
import { useAction } from "@/components/form/use-action";
import { Button } from "@/components/ui/button";
import { Callout } from "@/components/ui/callout";
import { CopyableCode } from "@/components/ui/copy-button";
import { ConfirmAction } from "@/components/form/confirm-action";
import { Facts } from "@/components/ui/description-list";
import { Island } from "@/components/ui/island";
import { Link } from "@/components/ui/link";
import { PageHeader, Section } from "@/components/ui/page-header";
import { ExactTime } from "@/components/ui/relative-time";
import { toast } from "@/components/ui/toast";
import { WhyCampaign } from "@/components/recipients/why-search";
import type { ApiAnswer } from "@/lib/doors/http/client";
import type { ContactState } from "@/lib/domain/contact-states/schema";
import type { TimelineKind } from "@/lib/domain/contact-story/schema";
import type { Contact } from "@/lib/domain/contacts/schema";
import { t } from "@/lib/ground/texts/t";
import { ContactEngagement } from "./contact-engagement";
import { ContactForm } from "./contact-form";
import { ContactMemberships } from "./contact-memberships";
import { ContactNotes } from "./contact-notes";
import { MergeContact } from "./merge-contact";
import { ExportContact } from "./export-contacts";
import { isSuppressedState, maySubscribe, stateOf, stateSentences } from "./person-state";
import { PersonStatus } from "./person-status";
import { formsIn } from "./subscription-words";
import { Timeline } from "./timeline";

/** One person: what is known about them, whether campaigns reach them, and all that happened with them. */
export function ContactView({
  initial,
  timeline,
  timelineKind,
  timelineEnds,
  history,
  engagement,
}: {
  initial: Contact;
  timeline: ApiAnswer<"GET /v1/contacts/{id}/timeline">;
  /** What it is narrowed to. */
  timelineKind: TimelineKind | null;
  /** How far back it goes; empty: to the beginning. */
  timelineEnds: string;
  history: ApiAnswer<"GET /v1/contacts/{id}/subscription-history">;
  engagement: ApiAnswer<"GET /v1/contacts/{id}/engagement">;
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
  const forms = formsIn(history.data);
  return (
    <>
      <PageHeader
        title={name || contact.email}
        back={{ href: path("contacts"), label: t("Contacts") }}
        meta={
          <>
            <PersonStatus state={stateOf(contact)} />
            {name && <span className="text-sm wrap-anywhere text-soft">{contact.email}</span>}
            <CopyableCode text={contact.id} what={t("contact id")} />
          </>
        }
        actions={
          <>
            <ExportContact contact={contact} />
            {may && (
              <>
                <MergeContact contact={contact} />
                <DeleteContact contact={contact} />
                <ChangeSubscription contact={contact} />
              </>
            )}
          </>
        }
      />
      <NotUpToDate of={reading} />
      <NotReachable contact={contact} />
      <div className="grid gap-x-10 gap-y-9 lg:grid-cols-2">
        <Section title={t("About")}>
          <Island>
            <ContactForm contact={contact} />
          </Island>
          <div className="mt-6 border-t pt-2">
            <Facts
              items={[
                ...(forms.length > 0
                  ? [{ label: t("Signed up by"), value: <Forms forms={forms} /> }]
                  : []),
                { label: t("Added"), value: <ExactTime value={contact.createdAt} /> },
                { label: t("Last changed"), value: <ExactTime value={contact.updatedAt} /> },
              ]}
            />
          </div>
          <div className="mt-9">
            <Island>
              <ContactMemberships contactId={contact.id} />
            </Island>
            <Island>
              <ContactNotes contactId={contact.id} />
            </Island>
          </div>
        </Section>
        <div className="min-w-0">
          <Island>
            <ContactEngagement contactId={contact.id} initial={engagement} />
          </Island>
          <Island>
            <WhyCampaign contactId={contact.id} />
          </Island>
          <Island>
            <Timeline
              contact={contact}
              initial={timeline}
              initialKind={timelineKind}
              ends={timelineEnds}
            />
          </Island>
        </div>
      </div>
    </>
  );
}

/** Links to the forms that the person came through. */
function Forms({ forms }: { forms: ReturnType<typeof formsIn> }) {
  const path = useProjectPath();
  return forms.map(({ id, name }, index) => (
    <Fragment key={id}>
      {index > 0 && ", "}
      {name === null ? (
        t("a form that was deleted")
      ) : (
        <Link href={path(`forms/${id}`)} className="underline underline-offset-2">
          {t("the form {name}", { name })}
        </Link>
      )}
    </Fragment>
  ));
}

/** Why campaigns do not reach the person; nothing when they do. */
function NotReachable({ contact }: { contact: Contact }) {
  const path = useProjectPath();
  const state = stateOf(contact);
  if (state === "reachable") return null;
  const suppressed = isSuppressedState(state);
  return (
    <div className="mb-7">
      <Callout kind={suppressed ? "warning" : "info"}>
        {stateSentences[state]}
        {suppressed && (
          <>
            {" "}
            <Link
              href={path(`suppressions?search=${encodeURIComponent(contact.email)}`)}
              className="font-medium underline underline-offset-2"
            >
              {t("See why, or lift it")}
            </Link>
          </>
        )}
      </Callout>
    </div>
  );
}

/** Nothing for a suppressed address: no subscription would bring mail to it. */
function ChangeSubscription({ contact }: { contact: Contact }) {
  const state = stateOf(contact);
  if (state === "reachable") return <Unsubscribe contact={contact} />;
  return maySubscribe(state) ? <Subscribe contact={contact} state={state} /> : null;
}

function Unsubscribe({ contact }: { contact: Contact }) {
  const api = useApi();
  const set = (subscribed: boolean) =>
    api("PATCH /v1/contacts/{id}", { params: { id: contact.id }, body: { subscribed } });
  const takeBack = useAction({
    mutationFn: () => set(true),
    onSuccess: () => toast.success(t("Campaigns now reach this person")),
    onError: (error) => toast.error(t("Nothing was changed"), { description: messageOf(error) }),
  });
  const unsubscribe = useAction({
    mutationFn: () => set(false),
    onSuccess: () =>
      toast.success(t("Campaigns no longer reach this person"), {
        action: { label: t("Undo"), run: () => takeBack.mutate() },
      }),
    onError: (error) => toast.error(t("Nothing was changed"), { description: messageOf(error) }),
  });
  return (
    <Button pending={unsubscribe.isPending} onClick={() => unsubscribe.mutate()}>
      <MailX aria-hidden /> {t("Unsubscribe")}
    </Button>
  );
}

/** Asks first: somebody who unsubscribed is subscribed again only by an explicit act. */
function Subscribe({ contact, state }: { contact: Contact; state: ContactState }) {
  const api = useApi();
  const [asking, setAsking] = useState(false);
  return (
    <>
      <Button onClick={() => setAsking(true)}>
        <MailCheck aria-hidden /> {t("Subscribe")}
      </Button>
      <ConfirmAction
        open={asking}
        onClose={() => setAsking(false)}
        title={t("Subscribe {email}?", { email: contact.email })}
        action={t("Subscribe")}
        variant="primary"
        run={() =>
          api("PATCH /v1/contacts/{id}", { params: { id: contact.id }, body: { subscribed: true } })
        }
        done={t("Campaigns now reach this person")}
      >
        {state === "unsubscribed"
          ? t(
              "This person unsubscribed. Subscribe them again only if they asked you to: campaigns to people who left are reported as spam.",
            )
          : t("Subscribe this person only if they asked for your mail.")}
      </ConfirmAction>
    </>
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
      {t(
        "This permanently deletes the address, name, tags and custom data, also in the email log. Waiting mail is not sent; figures of sent mail stay. If the address is imported again, it is not subscribed unless the file says so.",
      )}
    </DeleteThing>
  );
}
