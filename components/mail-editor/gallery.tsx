"use client";

import { FileCode, FileUp, PencilLine } from "lucide-react";
import { useMemo, useState } from "react";
import { FileInput } from "@/components/ui/file-input";
import { Select } from "@/components/ui/select";
import { toast } from "@/components/ui/toast";
import { Switch } from "@/components/ui/switch";
import type { EmailDesign } from "@/lib/mail/design/schema";
import { t } from "@/lib/ground/texts/t";
import { blankDesign } from "./blocks";
import { branded } from "./branded";
import type { Starter } from "./starter-parts";
import { starterLanguages, type StarterLanguage } from "./starter-words";
import { campaignStartersIn, startersIn } from "./starters";
import { Thumbnail } from "./thumbnail";
import { useBrand, useStarterLanguage } from "./use-brand";

const cardClass =
  "group flex h-full w-full flex-col rounded-md border border-control bg-sheet text-left transition-colors hover:border-ink";

/** Bytes. */
const largestFile = 1024 * 1024;

/** What to begin an email with: a design, an empty page, or HTML. */
export function Gallery({
  forCampaigns,
  error,
  onChoose,
  onImport,
  onHtml,
}: {
  /** Only designs that a campaign can send. */
  forCampaigns: boolean;
  error: string | null;
  /** `starter`: null for an empty page. */
  onChoose: (design: EmailDesign, starter: Starter | null) => void;
  /** Called with the content of a file of HTML or MJML. */
  onImport: (text: string) => void;
  onHtml: () => void;
}) {
  const brand = useBrand();
  const ofProject = useStarterLanguage();
  const [chosen, setChosen] = useState<StarterLanguage | null>(null);
  const language = chosen ?? ofProject;
  const [inBrand, setInBrand] = useState(true);
  const shown = useMemo(
    () =>
      (forCampaigns ? campaignStartersIn : startersIn)(language).map((starter) => ({
        ...starter,
        // Their words are looked up when they are read.
        name: starter.name,
        hint: starter.hint,
        design: brand && inBrand ? branded(starter.design, brand) : starter.design,
      })),
    [brand, forCampaigns, inBrand, language],
  );
  const blank = () => {
    const design = blankDesign(language);
    onChoose(brand && inBrand ? branded(design, brand) : design, null);
  };
  const read = async (file: File) => {
    if (file.size <= largestFile) onImport(await file.text());
    else toast.error(t("The file is larger than 1 MB"), { description: file.name });
  };
  return (
    <section aria-label={t("Begin with")}>
      <h2 className="mb-1 text-base font-medium">{t("Begin with a design")}</h2>
      <p className="mb-4 text-sm text-soft">
        {t("Everything in it can be changed, and you can switch to HTML at any time.")}
      </p>
      {error && <p className="mb-4 text-sm text-danger">{error}</p>}
      <div className="mb-4">
        <Select
          label={t("Language of the designs")}
          options={starterLanguages.map(({ code, name }) => ({ value: code, label: name }))}
          value={language}
          onChange={setChosen}
          className="w-44!"
        />
      </div>
      {brand && (
        <div className="mb-4">
          <Switch
            label={t("In the look of your brand")}
            hint={t("Its colours, fonts and logo, from the project’s settings.")}
            checked={inBrand}
            onChange={setInBrand}
          />
        </div>
      )}
      <ul className="grid grid-cols-[repeat(auto-fill,minmax(min(11rem,45%),1fr))] gap-4">
        <li>
          <button type="button" className={cardClass} onClick={blank}>
            <span className="flex aspect-4/3 items-center justify-center rounded-t-md border-b bg-sunken">
              <PencilLine className="size-7 text-faint" aria-hidden />
            </span>
            <Words name={t("Empty page")} hint={t("Put it together from blocks.")} />
          </button>
        </li>
        {shown.map((starter) => (
          <li key={starter.id}>
            <button
              type="button"
              className={cardClass}
              onClick={() => onChoose(starter.design, starter)}
            >
              <Thumbnail design={starter.design} />
              <Words name={starter.name} hint={starter.hint} />
            </button>
          </li>
        ))}
        <li>
          <label className={`${cardClass} cursor-pointer focus-within:outline-2`}>
            <span className="flex aspect-4/3 items-center justify-center rounded-t-md border-b bg-sunken">
              <FileUp className="size-7 text-faint" aria-hidden />
            </span>
            <Words name={t("A file")} hint={t("HTML or MJML, taken over as blocks.")} />
            <FileInput
              accept=".html,.htm,.mjml,text/html"
              onFiles={([file]) => file && void read(file)}
            />
          </label>
        </li>
        <li>
          <button type="button" className={cardClass} onClick={onHtml}>
            <span className="flex aspect-4/3 items-center justify-center rounded-t-md border-b bg-sunken">
              <FileCode className="size-7 text-faint" aria-hidden />
            </span>
            <Words name="HTML" hint={t("Write it, or paste what you have.")} />
          </button>
        </li>
      </ul>
    </section>
  );
}

function Words({ name, hint }: { name: string; hint: string }) {
  return (
    <span className="block px-3 py-2">
      <span className="block text-sm font-medium">{name}</span>
      <span className="block text-xs text-soft">{hint}</span>
    </span>
  );
}
