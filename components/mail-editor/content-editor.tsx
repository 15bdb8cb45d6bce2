"use client";

import dynamic from "next/dynamic";
import { useEffect, useState, type ReactNode } from "react";
import { SourceEditor } from "@/components/source-editor/source-editor";
import type { Place } from "@/components/source-editor/place";
import { Button } from "@/components/ui/button";
import { Callout } from "@/components/ui/callout";
import { Skeleton } from "@/components/ui/skeleton";
import { Tabs } from "@/components/ui/tabs";
import { toast } from "@/components/ui/toast";
import { renderDesign } from "@/lib/mail/design/render";
import { defaultTheme, emailDesign, type EmailDesign, type Theme } from "@/lib/mail/design/schema";
import { t } from "@/lib/ground/texts/t";
import { followed } from "./followed";
import { Gallery } from "./gallery";
import { isMjml } from "./is-mjml";
import type { Starter } from "./starter-parts";

const VisualEditor = dynamic(() => import("./visual-editor"), {
  ssr: false,
  loading: () => <Skeleton className="h-96" />,
});

/** An email's HTML, and the design it was made from where it was made in the visual editor. */
export interface EmailContent {
  body: string;
  design: EmailDesign | null;
}

export type ContentTab = "visual" | "source" | "preview";

/** What a newly opened email shows. */
export const firstTab = ({ design, body }: { design: object | null; body: string }): ContentTab =>
  design || body === "" ? "visual" : "source";

/** A design that cannot be kept yet leaves the HTML as it was; the panel says why. */
function contentOf(design: EmailDesign, body: string): EmailContent {
  return { design, body: emailDesign.safeParse(design).success ? renderDesign(design) : body };
}

const languageOf = (body: string) => (isMjml(body) ? "MJML" : "HTML");

/** A text as a design, and what of it could not be taken over. Its readers are as large as the editor. */
async function imported(text: string, theme: Theme = defaultTheme) {
  if (isMjml(text)) return (await import("./import-mjml")).importMjml(text, theme);
  const { importHtml } = await import("./import-html");
  return { design: importHtml(text, theme), left: [] };
}

/** One email, on a canvas or as HTML: both are one document, and one can switch back. */
export function ContentEditor({
  content: { body, design },
  onChange,
  onBegin,
  starterHtml,
  forCampaigns = false,
  readOnly,
  error,
  goTo = null,
  preview,
  beside = false,
  tab,
  onTab,
  label = t("Email"),
}: {
  content: EmailContent;
  onChange: (content: EmailContent) => void;
  /** Called when a design was chosen to begin with. */
  onBegin?: (starter: Starter) => void;
  /** What HTML begins with. */
  starterHtml: string;
  /** It begins with designs that a campaign can send. */
  forCampaigns?: boolean;
  readOnly: boolean;
  error: string | null;
  goTo?: Place | null;
  preview: ReactNode;
  /** The preview stands beside the HTML. */
  beside?: boolean;
  tab: ContentTab;
  onTab: (tab: ContentTab) => void;
  /** Which email, where a page has several. */
  label?: string;
}) {
  // Callers pass whatever has both. What is kept to go back to must not bring the rest of it along.
  const content: EmailContent = { body, design };
  const [earlier, setEarlier] = useState<EmailContent | null>(null);
  const [left, setLeft] = useState<readonly string[]>([]);
  const goBack = earlier && (
    <div className="mb-4">
      <Callout
        kind="info"
        title={
          earlier.design
            ? t("The HTML was changed by hand, so the visual version was left")
            : t("Taken over from {language}: look at the preview before you save", {
                language: languageOf(earlier.body),
              })
        }
      >
        <Button
          size="sm"
          onClick={() => {
            onChange(earlier);
            onTab(earlier.design ? "visual" : "source");
            setEarlier(null);
            setLeft([]);
          }}
        >
          {earlier.design
            ? t("Back to the visual version")
            : t("Back to the {language}", { language: languageOf(earlier.body) })}
        </Button>
        {!earlier.design && left.length > 0 && (
          <>
            <p className="mt-3">{t("Not taken over:")}</p>
            <ul className="list-disc pl-5">
              {left.map((what) => (
                <li key={what}>{what}</li>
              ))}
            </ul>
          </>
        )}
      </Callout>
    </div>
  );
  const takeOver = async (text: string, before: EmailContent = { body: text, design: null }) => {
    const taken = await imported(text, earlier?.design?.attrs.theme);
    if (!taken) {
      toast.error(t("This MJML could not be read"), {
        description: t("It has no mj-body, or an element is not closed."),
      });
      return;
    }
    setEarlier(before);
    setLeft(taken.left);
    onChange(contentOf(taken.design, text));
  };
  // Where the HTML was shown it, the canvas does not look for it later.
  useEffect(() => {
    if (goTo && tab === "source") followed.add(goTo);
  }, [goTo, tab]);
  const importIt = () => void takeOver(body, content);
  const source = (
    <SourceEditor
      value={body}
      disabled={readOnly}
      error={error}
      goTo={goTo}
      onChange={(html) => {
        if (design) setEarlier(content);
        onChange({ body: html, design: null });
      }}
    />
  );
  if (design === null && body === "" && tab === "visual") {
    return (
      <Gallery
        forCampaigns={forCampaigns}
        error={error && t("Choose what to begin with.")}
        onChoose={(chosen, starter) => {
          onChange(contentOf(chosen, body));
          if (starter) onBegin?.(starter);
        }}
        onImport={(text) => void takeOver(text)}
        onHtml={() => {
          onChange({ body: starterHtml, design: null });
          onTab("source");
        }}
      />
    );
  }
  return (
    <Tabs
      label={t("Content")}
      value={tab}
      onChange={(next) => onTab(next as ContentTab)}
      tabs={[
        {
          value: "visual",
          label: t("Visual"),
          content: design ? (
            <>
              {goBack}
              <VisualEditor
                design={design}
                readOnly={readOnly}
                onChange={(next) => onChange(contentOf(next, body))}
                onImportHtml={importIt}
                label={label}
                goTo={goTo}
                onLost={() => onTab("source")}
              />
              {error && <p className="mt-2 text-sm text-danger">{error}</p>}
            </>
          ) : (
            <div className="flex flex-wrap items-center justify-between gap-3 rounded-md border border-dashed border-rule-strong px-4 py-5">
              <p className="text-sm text-soft">
                {t(
                  "This email was written as {language}. Its texts, images, buttons and columns can be taken over as blocks; what they look like may change.",
                  { language: languageOf(body) },
                )}
              </p>
              {!readOnly && <Button onClick={importIt}>{t("Edit it visually")}</Button>}
            </div>
          ),
        },
        {
          value: "source",
          label: "HTML",
          content: (
            <>
              {goBack}
              {design && !readOnly && (
                <p className="mb-3 text-sm text-soft">
                  {t("Made by the visual editor. If you change it here, it is HTML from then on.")}
                </p>
              )}
              {!design && isMjml(body) && (
                <div className="mb-4">
                  <Callout
                    kind="warning"
                    title={t("This is MJML, which mail programs do not show")}
                  >
                    {t("Take it over as blocks, and its HTML is made here.")}{" "}
                    {!readOnly && (
                      <Button
                        size="sm"
                        onClick={() => {
                          onTab("visual");
                          importIt();
                        }}
                      >
                        {t("Take it over")}
                      </Button>
                    )}
                  </Callout>
                </div>
              )}
              {beside ? (
                <div className="grid gap-x-8 gap-y-8 xl:grid-cols-2">
                  <div className="min-w-0">{source}</div>
                  <div className="min-w-0">{preview}</div>
                </div>
              ) : (
                source
              )}
            </>
          ),
        },
        { value: "preview", label: t("Preview"), content: preview },
      ]}
    />
  );
}
