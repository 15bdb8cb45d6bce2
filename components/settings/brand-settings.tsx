"use client";

import { Plus, Trash2 } from "lucide-react";
import { useState } from "react";
import { useApi } from "@/components/api/use-api";
import { useMay } from "@/components/api/project-context";
import { ConfirmAction } from "@/components/form/confirm-action";
import { FormFault } from "@/components/form/form-fault";
import { Unsettled } from "@/components/form/unsaved-changes";
import { useForm } from "@/components/form/use-form";
import { useSaves } from "@/components/form/use-saves";
import { brandText } from "@/components/mail-editor/design-text";
import { ThemeFields } from "@/components/mail-editor/theme-panel";
import { Button, IconButton } from "@/components/ui/button";
import { Callout } from "@/components/ui/callout";
import { ColorField } from "@/components/ui/color-field";
import { deferred } from "@/components/ui/deferred";
import { Island } from "@/components/ui/island";
import { Section } from "@/components/ui/page-header";
import { toast } from "@/components/ui/toast";
import type { ProjectSettings, ProjectUpdate } from "@/lib/domain/projects/schema";
import { brand, mostBrandColours, type Brand } from "@/lib/mail/design/brand-schema";
import { t } from "@/lib/ground/texts/t";
import { LogoFields } from "./logo-fields";
import { projectUpdate } from "./schemas";

const BrandPreview = deferred(
  () => import("./brand-preview").then((module) => module.BrandPreview),
  NoPreview,
);

const standard = brand.parse({ theme: {} });
interface Draft {
  brand: Brand;
}
const draftOf = ({ brand }: ProjectSettings): Draft => ({ brand: brand ?? standard });

/** Colours, fonts and logo of the project's emails, beside an email and pages that have them. */
export function BrandSettings({ initial }: { initial: ProjectSettings }) {
  const api = useApi();
  const may = useMay("admin");
  const [saved, setSaved] = useState(initial);
  const saves = useSaves<ProjectSettings, Draft, ProjectUpdate>({
    saved,
    onNewer: setSaved,
    draftOf,
    change: (body) => api("PATCH /v1/project", { body }),
    read: () => api("GET /v1/project", {}),
  });
  const form = useForm({
    initial: draftOf(initial),
    schema: projectUpdate,
    // Its fields are parts of one.
    places: [],
    onUnchanged: () => undefined,
    send: saves.save,
    onSent: (stored) => {
      setSaved(stored);
      form.rebase(draftOf(stored));
      toast.success(t("Brand saved"));
    },
  });
  const [removing, setRemoving] = useState(false);
  const { brand: drafted } = form.draft;
  const { theme, colours, logo } = drafted;
  const set = (part: Partial<Brand>) => form.set({ brand: { ...drafted, ...part } });
  return (
    <form
      aria-label={t("Brand")}
      {...form.props}
      className="grid gap-x-10 gap-y-8 lg:grid-cols-[minmax(0,26rem)_minmax(0,1fr)]"
    >
      <div className="flex flex-col gap-8 *:mt-0">
        <div className="flex flex-col gap-5 empty:hidden">
          <FormFault of={form} />
          <Unsettled
            form={form}
            saves={saves}
            draftOf={draftOf}
            keptAs={`${initial.id}.brand`}
            label={() => t("Brand")}
            tell={(draft) => brandText(draft.brand)}
          />
          {!may && (
            <Callout kind="info">{t("Only admins and owners can change the brand.")}</Callout>
          )}
        </div>
        <Section title={t("Look")}>
          <div className="flex flex-col gap-4">
            <ThemeFields
              theme={theme}
              set={(part) => set({ theme: { ...theme, ...part } })}
              disabled={!may}
            />
          </div>
        </Section>
        <Section
          title={t("Further colours")}
          description={t("Offered with those above wherever the editor asks for a colour.")}
        >
          <ul aria-label={t("Further colours")} className="flex flex-col gap-2">
            {colours.map((colour, index) => (
              <li key={index} className="flex items-center gap-2">
                <div className="flex-1">
                  <ColorField
                    label={t("Colour {number}", { number: index + 1 })}
                    value={colour}
                    standard={colour}
                    disabled={!may}
                    onChange={(next) => set({ colours: colours.with(index, next) })}
                  />
                </div>
                {may && (
                  <IconButton
                    size="sm"
                    label={t("Remove colour {number}", { number: index + 1 })}
                    onClick={() => set({ colours: colours.toSpliced(index, 1) })}
                  >
                    <Trash2 aria-hidden />
                  </IconButton>
                )}
              </li>
            ))}
          </ul>
          {may && colours.length < mostBrandColours && (
            <Button
              size="sm"
              className="mt-2"
              onClick={() => set({ colours: [...colours, theme.accent] })}
            >
              <Plus aria-hidden /> {t("Add a colour")}
            </Button>
          )}
        </Section>
        <Section
          title={t("Logo")}
          description={t("Stands on top of new emails and of the pages recipients see.")}
        >
          <LogoFields
            logo={logo}
            projectId={initial.id}
            may={may}
            onChange={(next) => set({ logo: next })}
          />
        </Section>
        {may && (
          <div className="flex gap-2">
            <Button type="submit" variant="primary" pending={form.pending} disabled={!form.dirty}>
              {t("Save")}
            </Button>
            {saved.brand && (
              <Button variant="ghost" onClick={() => setRemoving(true)}>
                {t("Remove the brand…")}
              </Button>
            )}
          </div>
        )}
        <ConfirmAction
          open={removing}
          onClose={() => setRemoving(false)}
          title={t("Remove the brand?")}
          action={t("Remove the brand")}
          run={() => saves.save({ brand: null })}
          done={t("Brand removed")}
          onDone={(stored) => {
            setSaved(stored);
            form.rebase(draftOf(stored));
          }}
        >
          {t(
            "New emails and the mails in your name have our look again, and the pages recipients see have no logo. Emails that are already written stay as they are.",
          )}
        </ConfirmAction>
      </div>
      <div className="min-w-0 lg:sticky lg:top-6 lg:self-start">
        <Island>
          <BrandPreview brand={drafted} language={saved.language} />
        </Island>
      </div>
    </form>
  );
}

function NoPreview() {
  return <Callout kind="warning">{t("The preview could not be loaded. Reload the page.")}</Callout>;
}
