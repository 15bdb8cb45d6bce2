"use client";

import { Callout } from "@/components/ui/callout";
import { ChoiceCards } from "@/components/ui/choice-cards";
import { Field, Input, Textarea } from "@/components/ui/field";
import { Select } from "@/components/ui/select";
import { MailTemplateField } from "@/components/own-mails/mail-template-field";
import { Switch } from "@/components/ui/switch";
import { t } from "@/lib/ground/texts/t";
import type { FormDraft } from "./draft";
import { Part, type PartProps } from "./form-fields";

type TextName = keyof FormDraft["texts"];

/** A text of the form; if empty, ours in the visitor's language. */
function TextField({
  form,
  disabled,
  name,
  label,
  hint,
  lines = false,
  longest = 200,
}: Pick<PartProps, "form" | "disabled"> & {
  name: TextName;
  label: string;
  hint?: string;
  lines?: boolean;
  longest?: number;
}) {
  const { texts } = form.draft;
  const control = {
    value: texts[name],
    disabled,
    autoComplete: "off",
    onChange: ({ target }: { target: { value: string } }) =>
      form.set({ texts: { ...texts, [name]: target.value } }),
  };
  return (
    <Field label={label} optional hint={hint} error={form.fault(`texts.${name}`)}>
      {lines ? (
        <Textarea {...control} rows={3} maxLength={2000} />
      ) : (
        <Input {...control} maxLength={longest} />
      )}
    </Field>
  );
}

/** Its own words. */
export function TextPart(props: PartProps) {
  const { form, choices, disabled } = props;
  const { draft, set } = form;
  return (
    <Part title={t("What it says")}>
      <p className="text-sm text-soft">
        {t("What you leave empty is said in the visitor’s language; the preview shows how.")}
      </p>
      <Field
        label={t("Language")}
        name="language"
        hint={t("Choose one if you write texts of your own, or pages mix two languages.")}
        error={form.fault("language")}
      >
        <Select
          options={[
            { value: "", label: t("The visitor’s own") },
            ...choices.languages.map(({ code, name }) => ({ value: code, label: name })),
          ]}
          value={draft.language}
          disabled={disabled}
          onChange={(language) => set({ language })}
        />
      </Field>
      <TextField {...props} name="title" label={t("Heading")} />
      <TextField {...props} name="lead" label={t("Introduction")} lines />
      <TextField
        {...props}
        name="consent"
        label={t("What people agree to")}
        hint={t(
          "Beside the button: what you will send, how often, and where your privacy policy is. It is kept with each sign-up as proof.",
        )}
        lines
      />
      <TextField {...props} name="button" label={t("Button")} longest={60} />
    </Part>
  );
}

/** The email that asks to confirm, and where people land. */
export function AfterPart(
  props: PartProps & { ownPage: boolean; onOwnPage: (own: boolean) => void },
) {
  const { form, disabled, ownPage, onOwnPage } = props;
  const { draft, set } = form;
  return (
    <Part title={t("When somebody has signed up")}>
      <Switch
        label={t("Ask to confirm by email")}
        hint={t("They are subscribed once they have pressed the button in it (double opt-in).")}
        checked={draft.doubleOptIn}
        disabled={disabled}
        onChange={(doubleOptIn) => set({ doubleOptIn })}
      />
      {!draft.doubleOptIn && (
        <Callout kind="warning" title={t("Anybody can then sign up anybody else")}>
          {t(
            "Mistyped addresses, and other people’s, will get your mail, which leads to bounces and complaints; and in many countries you have to prove that the person asked for it. People who left before, and sign-ups that may come from a bot, must still confirm.",
          )}
        </Callout>
      )}
      <MailTemplateField
        label={t("Confirmation email")}
        name="confirmationTemplateId"
        hint={
          draft.confirmationTemplateId === null
            ? t(
                "The list’s own email goes out if it has one and you leave the next two fields empty.",
              )
            : t("Its subject and content are what people get.")
        }
        standard={t("No template")}
        begin="confirm-subscription"
        value={draft.confirmationTemplateId}
        disabled={disabled}
        error={form.fault("confirmationTemplateId")}
        onChange={(confirmationTemplateId) => set({ confirmationTemplateId })}
      />
      {draft.confirmationTemplateId === null && (
        <>
          <TextField
            {...props}
            name="mailSubject"
            label={draft.doubleOptIn ? t("Subject of the email") : t("Subject, where one is sent")}
          />
          <TextField {...props} name="mailText" label={t("Text of the email")} lines />
        </>
      )}
      <ChoiceCards
        label={t("After submitting, people see")}
        options={[
          { value: "ours", label: t("A page here"), hint: t("It says what happens next.") },
          { value: "own", label: t("A page of yours"), hint: t("At an address that you name.") },
        ]}
        value={ownPage ? "own" : "ours"}
        onChange={(choice) => !disabled && onOwnPage(choice === "own")}
      />
      {ownPage ? (
        <Field
          label={t("Address")}
          name="thanksUrl"
          hint={t("Tell them there to check their inbox.")}
          error={form.fault("thanksUrl")}
        >
          <Input
            {...form.text("thanksUrl")}
            disabled={disabled}
            type="url"
            autoComplete="off"
            spellCheck={false}
            placeholder="https://example.com/thank-you"
          />
        </Field>
      ) : (
        <>
          <TextField {...props} name="thanksTitle" label={t("Heading of that page")} />
          <TextField {...props} name="thanksText" label={t("Text of that page")} lines />
        </>
      )}
    </Part>
  );
}
