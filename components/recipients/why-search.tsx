"use client";

import { Search } from "lucide-react";
import { useState, type FormEvent, type ReactNode } from "react";
import { messageOf } from "@/components/api/faults";
import { useRead } from "@/components/api/use-read";
import { useSettled } from "@/components/api/use-settled";
import { Button } from "@/components/ui/button";
import { Callout } from "@/components/ui/callout";
import { Field } from "@/components/ui/field";
import { Section } from "@/components/ui/page-header";
import { SuggestInput } from "@/components/ui/suggest-input";
import { ApiError } from "@/lib/doors/http/client";
import { t } from "@/lib/ground/texts/t";
import { Explanation } from "./explanation";

/** Asks of any contact whether they got this campaign, or will (`ahead`), and if not why. */
export function WhySearch({ campaignId, ahead }: { campaignId: string; ahead: boolean }) {
  const [text, setText] = useState("");
  const [contact, setContact] = useState<string | null>(null);
  const search = useSettled(text.trim());
  const contacts = useRead(
    "GET /v1/contacts",
    { query: { search, limit: 8 } },
    { enabled: search.length > 1 },
  );
  return (
    <Section
      title={ahead ? t("Will somebody get it?") : t("Did somebody get it?")}
      description={
        ahead
          ? t("For any contact: whether they will get it, and if not, exactly why.")
          : t("For any contact: whether they got it, and if not, exactly why.")
      }
    >
      <Question label={t("Contact’s address")} onAsk={() => setContact(text.trim() || null)}>
        <SuggestInput
          value={text}
          onChange={setText}
          onChoose={(email) => {
            setText(email);
            setContact(email);
          }}
          suggestions={(contacts.data?.data ?? []).map(({ email }) => email)}
          placeholder="ada@example.com"
        />
      </Question>
      {contact && <Answer campaignId={campaignId} contact={contact} />}
    </Section>
  );
}

/** Asks of one contact whether they got a campaign. */
export function WhyCampaign({ contactId }: { contactId: string }) {
  const [text, setText] = useState("");
  const [campaignId, setCampaignId] = useState<string | null>(null);
  const search = useSettled(text.trim());
  const listed = useRead("GET /v1/campaigns", { query: { search, limit: 20 } });
  const campaigns = listed.data?.data ?? [];
  const choose = (name: string) => {
    setText(name);
    const wanted = name.trim().toLowerCase();
    const chosen = campaigns.find((campaign) => nameOf(campaign).toLowerCase() === wanted);
    setCampaignId(chosen?.id ?? null);
  };
  return (
    <Section
      title={t("Did they get a campaign?")}
      description={t(
        "Whether they got it, and if not, exactly why. For any other email, see its own page.",
      )}
    >
      <Question label={t("Campaign")} onAsk={() => choose(text)}>
        <SuggestInput
          value={text}
          onChange={setText}
          onChoose={choose}
          suggestions={campaigns.map(nameOf)}
          placeholder={t("Name of the campaign")}
        />
      </Question>
      {campaignId && <Answer campaignId={campaignId} contact={contactId} />}
    </Section>
  );
}

/** Campaigns with the same name are told apart by their day. */
const nameOf = ({ name, startedAt, createdAt }: Named) =>
  `${name}, ${(startedAt ?? createdAt).slice(0, 10)}`;

interface Named {
  name: string;
  startedAt: string | null;
  createdAt: string;
}

function Question({
  label,
  onAsk,
  children,
}: {
  label: string;
  onAsk: () => void;
  children: ReactNode;
}) {
  const ask = (event: FormEvent) => {
    event.preventDefault();
    onAsk();
  };
  return (
    <form onSubmit={ask} className="mb-4 flex max-w-xl items-end gap-2">
      <Field label={label} className="min-w-0 grow">
        {children}
      </Field>
      <Button type="submit" className="h-10">
        <Search aria-hidden /> {t("Ask")}
      </Button>
    </form>
  );
}

function Answer({ campaignId, contact }: { campaignId: string; contact: string }) {
  const answer = useRead(
    "GET /v1/campaigns/{id}/recipients/{contact}",
    { params: { id: campaignId, contact } },
    { retry: false, every: 10_000 },
  );
  const { error } = answer;
  if (error instanceof ApiError && error.status === 404) {
    return (
      <Callout kind="warning" title={t("Nobody is known as {contact}", { contact })} alert>
        {t(
          "No contact of this project has this address. Deleted contacts can no longer be looked up.",
        )}
      </Callout>
    );
  }
  if (answer.data) return <Explanation answer={answer.data} />;
  return error ? (
    <Callout kind="danger" alert>
      {messageOf(error)}
    </Callout>
  ) : (
    <p className="text-sm text-soft">{t("Looking …")}</p>
  );
}
