"use client";

import { useApi } from "@/components/api/use-api";
import { useProject } from "@/components/api/project-context";
import { SenderAddress } from "@/components/domains/sender-address";
import { useForm } from "@/components/form/use-form";
import type { EmailContent } from "@/components/mail-editor/content-editor";
import { addressesIn, TestMailForm, tellTestSent } from "@/components/test-mail/test-mail-form";
import { templateTest } from "@/lib/domain/templates/test-schema";
import { t } from "@/lib/ground/texts/t";
import { ContactField, type ChosenContact } from "./contact-field";

export interface Tested {
  /** What is in the editor, saved or not. */
  content: EmailContent & { subject: string };
  /** Whom the preview shows it for; null: somebody with this data. */
  contact: ChosenContact | null;
  /** null: what is written there is no data. */
  data: Record<string, unknown> | null;
  /** Verified sender domains. */
  domains: readonly string[];
}

/** Sends what is written to a few addresses, filled in for one person. */
export function TestDialog({
  content,
  contact,
  data,
  domains,
  onClose,
}: Tested & { onClose: () => void }) {
  const api = useApi();
  const { viewer } = useProject();
  const noData = t("The sample data is not a JSON object: choose a contact, or correct it.");
  const form = useForm({
    initial: {
      to: viewer.email,
      from: domains[0] ? `hello@${domains[0]}` : "",
      person: contact?.email ?? "",
      contactId: contact?.id ?? "",
    },
    schema: templateTest,
    input: ({ to, from, contactId }) => ({
      to: addressesIn(to),
      from: from.trim(),
      subject: content.subject,
      // The server makes the HTML of a design itself.
      ...(content.design ? { design: content.design } : { body: content.body }),
      ...(contactId ? { contactId } : { data: data ?? {} }),
    }),
    check: ({ person, contactId }) => {
      if (contactId) return {};
      if (person.trim()) {
        return { person: t("Choose a contact from the list, or leave it empty.") };
      }
      return data ? {} : { person: noData };
    },
    guard: false,
    leaves: true,
    send: (body) => api("POST /v1/templates/test", { body }),
    onSent: ({ emails }) => {
      tellTestSent(emails.map(({ to }) => to));
      onClose();
    },
  });
  return (
    <TestMailForm
      form={form}
      to={form.text("to")}
      fault={form.faultWithin("to")}
      hint={t("Up to five addresses, separated by commas. They do not become contacts.")}
      description={t(
        "A real email with what is in the editor, saved or not, and [Test] in front of the subject. The footer that campaigns add is not in it.",
      )}
      onClose={onClose}
    >
      <ContactField
        label={t("As this contact sees it")}
        hint={
          data ? t("If this is empty, the preview’s sample data fills the placeholders.") : noData
        }
        name="person"
        error={form.fault("person") ?? form.fault("contactId")}
        typed={form.draft.person}
        onType={(person) => form.set({ person, contactId: "" })}
        onChoose={({ id, email }) => form.set({ person: email, contactId: id })}
      />
      <SenderAddress
        value={form.draft.from}
        onChange={(from) => form.set({ from })}
        error={form.fault("from")}
        domains={domains}
        example="hello"
        side="top"
      />
    </TestMailForm>
  );
}
