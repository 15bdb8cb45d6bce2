"use client";

import { Merge } from "lucide-react";
import { useState } from "react";
import { messageOf } from "@/components/api/faults";
import { useApi } from "@/components/api/use-api";
import { useRead } from "@/components/api/use-read";
import { useAction } from "@/components/form/use-action";
import { SearchField } from "@/components/list-page/search-field";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { toast } from "@/components/ui/toast";
import type { MergeInput } from "@/lib/domain/contact-merges/schema";
import type { Contact } from "@/lib/domain/contacts/schema";
import { t } from "@/lib/ground/texts/t";
import { MergeComparison } from "./merge-comparison";
import { stateOf } from "./person-state";
import { PersonStatus } from "./person-status";

/** For a person who is here twice: asks for the other contact, shows what merging does, and does it. */
export function MergeContact({ contact }: { contact: Contact }) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button onClick={() => setOpen(true)}>
        <Merge aria-hidden /> {t("Merge")}
      </Button>
      {open && <MergeDialog contact={contact} onClose={() => setOpen(false)} />}
    </>
  );
}

function MergeDialog({ contact, onClose }: { contact: Contact; onClose: () => void }) {
  const [other, setOther] = useState<string | null>(null);
  if (other === null) return <FindOther contact={contact} onChoose={setOther} onClose={onClose} />;
  return (
    <CompareBoth contact={contact} other={other} onBack={() => setOther(null)} onClose={onClose} />
  );
}

const mostShown = 8;

function FindOther({
  contact,
  onChoose,
  onClose,
}: {
  contact: Contact;
  onChoose: (id: string) => void;
  onClose: () => void;
}) {
  const [search, setSearch] = useState("");
  const reading = useRead(
    "GET /v1/contacts",
    // One more, since this contact may be among them.
    { query: { search, limit: mostShown + 1 } },
    { enabled: search !== "" },
  );
  const others = (reading.data?.data ?? []).filter(({ id }) => id !== contact.id);
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={t("Merge with another contact")}
      description={t(
        "For somebody who is here twice. {email} stays, and gets what the other contact has.",
        { email: contact.email },
      )}
    >
      <SearchField
        label={t("Address or name of the other contact")}
        value={search}
        onChange={setSearch}
      />
      {reading.error && (
        <p role="alert" className="mt-3 text-sm text-danger">
          {messageOf(reading.error)}
        </p>
      )}
      {search !== "" && reading.data && others.length === 0 && (
        <p role="status" className="mt-3 text-sm text-soft">
          {t("No other contact matches.")}
        </p>
      )}
      {search !== "" && others.length > 0 && (
        <ul aria-label={t("Contacts")} className="mt-3 divide-y border-y">
          {others.slice(0, mostShown).map((found) => (
            <li key={found.id}>
              <button
                type="button"
                className="flex w-full flex-wrap items-center justify-between gap-x-4 gap-y-1 px-1 py-2 text-left text-sm hover:bg-hover"
                onClick={() => onChoose(found.id)}
              >
                <span className="min-w-0 wrap-anywhere">
                  <span className="font-medium">{found.email}</span>{" "}
                  <span className="text-soft">{`${found.firstName} ${found.lastName}`.trim()}</span>
                </span>
                <PersonStatus state={stateOf(found)} />
              </button>
            </li>
          ))}
        </ul>
      )}
      {others.length > mostShown && (
        <p className="mt-2 text-xs text-faint">
          {t("More contacts match: type more of the address.")}
        </p>
      )}
    </Dialog>
  );
}

type Fields = NonNullable<MergeInput["fields"]>;

function CompareBoth({
  contact,
  other,
  onBack,
  onClose,
}: {
  contact: Contact;
  other: string;
  onBack: () => void;
  onClose: () => void;
}) {
  const api = useApi();
  const [fields, setFields] = useState<Fields>({});
  const input = { params: { id: contact.id }, body: { other, fields } };
  const reading = useRead("POST /v1/contacts/{id}/merge/preview", input, {
    // It holds for the moment in which it is read.
    retry: false,
    staleTime: 0,
    gcTime: 0,
  });
  // While a choice is looked up, what was shown before stays.
  const [shown, setShown] = useState(reading.data);
  if (reading.data && reading.data !== shown) setShown(reading.data);
  const merge = useAction({
    mutationFn: () => api("POST /v1/contacts/{id}/merge", input),
    onSuccess: (merged) => {
      toast.success(t("The two are one contact now: {email}", { email: merged.email }));
      onClose();
    },
  });
  const error = merge.error ?? reading.error;
  return (
    <Dialog
      open
      wide
      keepOnOutsidePress
      onOpenChange={(open) => !open && !merge.isPending && onClose()}
      title={t("Merge with another contact")}
      footer={
        <>
          <Button onClick={onBack}>{t("Choose another")}</Button>
          <Button
            variant="danger"
            pending={merge.isPending}
            disabled={!reading.data}
            onClick={() => merge.mutate()}
          >
            {t("Merge contacts")}
          </Button>
        </>
      }
    >
      {error && (
        <p role="alert" className="mb-4 text-sm text-danger">
          {messageOf(error)}
        </p>
      )}
      <MergeComparison
        preview={shown}
        pending={reading.isFetching}
        fields={fields}
        onChange={setFields}
      />
    </Dialog>
  );
}
