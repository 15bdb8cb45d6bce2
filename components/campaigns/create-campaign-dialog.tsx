"use client";

import { useRouter } from "next/navigation";
import { useApi } from "@/components/api/use-api";
import { useProjectPath } from "@/components/api/project-context";
import { useRead } from "@/components/api/use-read";
import { DialogForm } from "@/components/form/dialog-form";
import { useForm } from "@/components/form/use-form";
import { NamedSelect } from "@/components/named/named-select";
import { ChoiceCards } from "@/components/ui/choice-cards";
import { Field, Input } from "@/components/ui/field";
import { campaignInput } from "@/lib/domain/campaigns/schema";
import { t } from "@/lib/ground/texts/t";
import { audienceKinds } from "./composer-steps";

type Audience = (typeof audienceKinds)[number]["value"];

/** Asks what a campaign is called and, where there is a choice, whom it is for; then opens it. */
export function CreateCampaignDialog({ onClose }: { onClose: () => void }) {
  const api = useApi();
  const path = useProjectPath();
  const router = useRouter();
  const lists = useRead("GET /v1/lists", { query: { limit: 1 } });
  const segments = useRead("GET /v1/segments", { query: { limit: 1 } });
  const among = { list: lists.data?.data ?? [], segment: segments.data?.data ?? [] };
  const kinds = audienceKinds.filter(
    ({ value }) => value === "everybody" || among[value].length > 0,
  );
  const asked = kinds.length > 1 || lists.isError || segments.isError;
  const form = useForm({
    initial: { name: "", audience: null as Audience | null, segmentId: "", listId: "" },
    schema: campaignInput,
    input: ({ name, audience, segmentId, listId }) => ({
      name,
      ...(audience === "segment" && segmentId ? { segmentId } : {}),
      ...(audience === "list" && listId ? { listId } : {}),
      incomplete: true,
    }),
    check: ({ audience, segmentId, listId }) => ({
      ...(asked && audience === null ? { audience: t("Choose who gets it.") } : {}),
      // Without it, the campaign would go to everybody.
      ...(audience === "segment" && !segmentId ? { segmentId: t("Choose a segment.") } : {}),
      ...(audience === "list" && !listId ? { listId: t("Choose a list.") } : {}),
    }),
    leaves: true,
    send: (body) => api("POST /v1/campaigns", { body }),
    onSent: (campaign) => {
      onClose();
      router.push(path(`campaigns/${campaign.id}`));
    },
  });
  const { audience, segmentId, listId } = form.draft;
  // Before it is known whether there is a choice, nobody can pass it by.
  if (lists.isPending || segments.isPending) return null;
  return (
    <DialogForm
      title={t("Create a campaign")}
      description={t("One message to everybody who wants your mail, or to some of them.")}
      action={t("Start writing")}
      onClose={onClose}
      form={form}
    >
      <Field
        label={t("Name")}
        name="name"
        hint={t("Only you and your team see it.")}
        error={form.fault("name")}
      >
        <Input
          {...form.text("name")}
          autoFocus
          autoComplete="off"
          maxLength={200}
          placeholder={t("November news")}
        />
      </Field>
      {asked && (
        <ChoiceCards
          label={t("Who gets it?")}
          options={kinds}
          value={audience}
          onChange={(audience) => form.set({ audience })}
          error={form.fault("audience")}
          stacked
        />
      )}
      {audience === "segment" && (
        <Field label={t("Segment")} error={form.fault("segmentId")}>
          <NamedSelect
            of="segment"
            none={t("Choose a segment")}
            value={segmentId}
            onChange={(segmentId) => form.set({ segmentId })}
          />
        </Field>
      )}
      {audience === "list" && (
        <Field label={t("List")} error={form.fault("listId")}>
          <NamedSelect
            of="list"
            none={t("Choose a list")}
            value={listId}
            onChange={(listId) => form.set({ listId })}
          />
        </Field>
      )}
    </DialogForm>
  );
}
