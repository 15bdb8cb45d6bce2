"use client";

import { Crop, Plus, Trash2 } from "lucide-react";
import { useState } from "react";
import { CropDialog, isCroppable } from "@/components/media/crop-dialog";
import { MediaPicker } from "@/components/media/media-picker";
import { Button, IconButton } from "@/components/ui/button";
import { NumberField } from "@/components/ui/number-field";
import { Field, Input, Textarea } from "@/components/ui/field";
import { Select } from "@/components/ui/select";
import { confirmLink } from "@/lib/domain/own-mails/schema";
import { networks } from "@/lib/mail/design/schema";
import { phrases, t } from "@/lib/ground/texts/t";
import type { PanelProps } from "./block-panel";
import { BrandColorField } from "./brand-color-field";
import { themeOf } from "./document";
import { AlignField, LinkField } from "./panel-fields";

export function ButtonPanel({ attrs, set, editor }: PanelProps) {
  const theme = themeOf(editor.state.doc);
  return (
    <>
      <LinkField
        label={t("Link")}
        value={attrs["href"] as string}
        onChange={(href) => set({ href })}
      />
      {attrs["href"] !== confirmLink && (
        <Button size="sm" variant="ghost" onClick={() => set({ href: confirmLink })}>
          {t("Lead to the confirmation of a list or form")}
        </Button>
      )}
      <AlignField value={attrs["align"] as string} onChange={(align) => set({ align })} />
      <BrandColorField
        label={t("Background")}
        value={attrs["background"] as string | null}
        standard={theme.accent}
        onChange={(background) => set({ background })}
        onStandard={() => set({ background: null })}
      />
      <BrandColorField
        label={t("Text")}
        value={attrs["color"] as string | null}
        standard={theme.onAccent}
        onChange={(color) => set({ color })}
        onStandard={() => set({ color: null })}
      />
    </>
  );
}

/** The image itself: from the library, or by its address. */
function PictureFields({ attrs, set }: Pick<PanelProps, "attrs" | "set">) {
  const [picking, setPicking] = useState(false);
  const [cropping, setCropping] = useState(false);
  const src = attrs["src"] as string;
  return (
    <>
      <Button onClick={() => setPicking(true)}>
        {src ? t("Change the image…") : t("Choose an image…")}
      </Button>
      {src && isCroppable(src) && (
        <Button size="sm" onClick={() => setCropping(true)}>
          <Crop aria-hidden /> {t("Crop…")}
        </Button>
      )}
      <LinkField
        label={t("Address of the image")}
        value={src}
        onChange={(next) => set({ src: next })}
      />
      <Field
        label={t("Alternative text")}
        hint={t("Describes the image for people who cannot see it. Leave empty for decoration.")}
      >
        <Input
          value={attrs["alt"] as string}
          maxLength={500}
          autoComplete="off"
          onChange={({ target }) => set({ alt: target.value })}
        />
      </Field>
      {cropping && (
        <CropDialog
          src={src}
          onClose={() => setCropping(false)}
          onCropped={(url) => {
            setCropping(false);
            set({ src: url });
          }}
        />
      )}
      {picking && (
        <MediaPicker
          onClose={() => setPicking(false)}
          onChoose={({ url, alt }) => {
            setPicking(false);
            set({ src: url, ...(alt ? { alt } : {}) });
          }}
        />
      )}
    </>
  );
}

export function ImagePanel({ attrs, set }: PanelProps) {
  return (
    <>
      <PictureFields attrs={attrs} set={set} />
      <LinkField
        label={t("Link")}
        value={attrs["href"] as string}
        onChange={(href) => set({ href })}
      />
      <NumberField
        label={t("Width")}
        hint={t("In pixels. Empty: as wide as there is room.")}
        value={attrs["width"] as number | null}
        least={16}
        most={800}
        optional
        onChange={(width) => set({ width })}
      />
      <AlignField value={attrs["align"] as string} onChange={(align) => set({ align })} />
    </>
  );
}

export function SpacerPanel({ attrs, set }: PanelProps) {
  return (
    <NumberField
      label={t("Height")}
      hint={t("In pixels.")}
      value={attrs["height"] as number}
      least={4}
      most={200}
      onChange={(height) => set({ height })}
    />
  );
}

interface SocialLink {
  network: (typeof networks)[number];
  url: string;
}

export function SocialPanel({ attrs, set }: PanelProps) {
  const links = attrs["links"] as SocialLink[];
  const change = (index: number, part: Partial<SocialLink>) =>
    set({ links: links.map((link, at) => (at === index ? { ...link, ...part } : link)) });
  const unused = networks.find((network) => links.every((link) => link.network !== network));
  return (
    <>
      {links.map((link, index) => (
        <div key={index} className="flex flex-col gap-2 border-b pb-3">
          <div className="flex gap-1">
            <Select
              label={t("Network {number}", { number: index + 1 })}
              options={networks.map((network) => ({ value: network, label: network }))}
              value={link.network}
              onChange={(network) => change(index, { network })}
            />
            <IconButton
              label={t("Remove {network}", { network: link.network })}
              onClick={() => set({ links: links.filter((_, at) => at !== index) })}
            >
              <Trash2 aria-hidden />
            </IconButton>
          </div>
          <LinkField
            label={t("Address on {network}", { network: link.network })}
            value={link.url}
            onChange={(url) => change(index, { url })}
          />
        </div>
      ))}
      {unused && (
        <Button size="sm" onClick={() => set({ links: [...links, { network: unused, url: "" }] })}>
          <Plus aria-hidden /> {t("Add a network")}
        </Button>
      )}
      <AlignField value={attrs["align"] as string} onChange={(align) => set({ align })} />
    </>
  );
}

const productTexts = phrases([
  { name: "title", label: "Name", longest: 500 },
  { name: "price", label: "Price", longest: 100 },
  { name: "action", label: "Text of the link", longest: 100 },
]);

export function ProductPanel({ attrs, set }: PanelProps) {
  return (
    <>
      {productTexts.map(({ name, label, longest }) => (
        <Field key={name} label={label}>
          <Input
            value={attrs[name] as string}
            maxLength={longest}
            autoComplete="off"
            onChange={({ target }) => set({ [name]: target.value })}
          />
        </Field>
      ))}
      <Field label={t("Description")}>
        <Textarea
          value={attrs["text"] as string}
          maxLength={2000}
          rows={3}
          onChange={({ target }) => set({ text: target.value })}
        />
      </Field>
      <LinkField
        label={t("Link")}
        value={attrs["href"] as string}
        onChange={(href) => set({ href })}
      />
      <PictureFields attrs={attrs} set={set} />
    </>
  );
}

export function HtmlPanel({ attrs, set }: PanelProps) {
  return (
    <Field label="HTML" hint={t("Goes into the email as it is, inside one table cell.")}>
      <Textarea
        value={attrs["html"] as string}
        rows={12}
        spellCheck={false}
        onChange={({ target }) => set({ html: target.value })}
        className="font-mono text-xs!"
      />
    </Field>
  );
}
