"use client";

import { useState } from "react";
import { LinkField } from "@/components/mail-editor/panel-fields";
import { MediaPicker } from "@/components/media/media-picker";
import { Button } from "@/components/ui/button";
import { Callout } from "@/components/ui/callout";
import { Field, Input } from "@/components/ui/field";
import { NumberField } from "@/components/ui/number-field";
import { ownFilePath } from "@/lib/domain/files/terms";
import { t } from "@/lib/ground/texts/t";
import type { Brand } from "@/lib/mail/design/brand-schema";

/** The logo, and what is said of it. */
export function LogoFields({
  logo,
  projectId,
  may,
  onChange,
}: {
  logo: Brand["logo"];
  projectId: string;
  may: boolean;
  onChange: (logo: Brand["logo"]) => void;
}) {
  const [picking, setPicking] = useState(false);
  return (
    <div className="flex flex-col gap-4">
      {!logo && !may && <p className="text-sm text-soft">{t("No logo yet.")}</p>}
      {may && (
        <div className="flex gap-2">
          <Button onClick={() => setPicking(true)}>
            {logo ? t("Change the logo…") : t("Choose a logo…")}
          </Button>
          {logo && (
            <Button variant="ghost" onClick={() => onChange(null)}>
              {t("Remove the logo")}
            </Button>
          )}
        </div>
      )}
      {logo && ownFilePath(logo.src, projectId) === null && (
        <Callout kind="info" title={t("The pages recipients see do not show this logo")}>
          {t(
            "It is on another server, which would learn who opens them. Choose it from your files to have it there, too.",
          )}
        </Callout>
      )}
      {logo && (
        <fieldset disabled={!may} className="flex flex-col gap-4">
          <Field label={t("Alternative text")} hint={t("Usually the name of your company.")}>
            <Input
              value={logo.alt}
              maxLength={500}
              autoComplete="off"
              onChange={({ target }) => onChange({ ...logo, alt: target.value })}
            />
          </Field>
          <LinkField
            label={t("Link")}
            value={logo.href}
            onChange={(href) => onChange({ ...logo, href })}
          />
          <NumberField
            label={t("Width")}
            hint={t("In pixels. Empty: as wide as there is room.")}
            value={logo.width}
            least={16}
            most={800}
            optional
            onChange={(width) => onChange({ ...logo, width })}
          />
        </fieldset>
      )}
      {picking && (
        <MediaPicker
          onClose={() => setPicking(false)}
          onChoose={({ url, alt }) => {
            setPicking(false);
            onChange({ href: "", width: 160, ...logo, src: url, alt: alt || (logo?.alt ?? "") });
          }}
        />
      )}
    </div>
  );
}
