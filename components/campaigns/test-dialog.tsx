"use client";

import { useApi } from "@/components/api/use-api";
import { useForm } from "@/components/form/use-form";
import { addressesIn, TestMailForm, tellTestSent } from "@/components/test-mail/test-mail-form";
import { campaignTest } from "@/lib/domain/campaigns/action-schema";
import { t } from "@/lib/ground/texts/t";
import type { Shared } from "./send-dialogs";

/** Sends the mail as it is now to a few people. */
export function TestDialog({ campaign, flush, onClose, email }: Shared & { email: string }) {
  const api = useApi();
  const form = useForm({
    initial: { to: email },
    schema: campaignTest,
    input: ({ to }) => ({ to: addressesIn(to) }),
    leaves: true,
    send: async (body) => {
      await flush();
      return api("POST /v1/campaigns/{id}/test", { params: { id: campaign.id }, body });
    },
    onSent: ({ data }) => {
      tellTestSent(data.emails.map(({ contact }) => contact.email));
      onClose();
    },
  });
  return (
    <TestMailForm
      form={form}
      to={form.text("to")}
      fault={form.faultWithin("to")}
      hint={t(
        "Up to five addresses, separated by commas. If an address belongs to a contact, their data fills the placeholders.",
      )}
      description={t(
        "A real email, footer included, with [Test] in front of the subject. It is not counted in any figures.",
      )}
      onClose={onClose}
    />
  );
}
