/** @jsxImportSource hono/jsx */
import type { Context } from "hono";
import { raw } from "hono/html";
import type { AddressAdvice } from "@/lib/domain/forms/address-advice";
import type { SignUpConfirmation } from "@/lib/domain/forms/confirm";
import { formMarkup, trapName, type Refilled } from "@/lib/domain/forms/markup";
import { proofScript } from "@/lib/domain/forms/proof-of-work";
import { textsFor } from "@/lib/ground/texts/texts";
import { lookOf, type PublicForm } from "@/lib/domain/forms/public-form";
import { wordsOf } from "@/lib/domain/forms/words";
import { formStamp } from "@/lib/mail/tracking/tokens";
import { answerPage, visitorOf, type Visitor } from "./frame";
import { HiddenFields, Notice, PostButton, Rich } from "./parts";

/**
 * The visitor of a form: in the form's own language, if it has one, else the one chosen on the page, the
 * browser's, the project's.
 */
export function formVisitor(c: Context, form: PublicForm, chosen?: string | null): Visitor {
  const { row, brand } = form;
  if (row.language !== null) return { texts: textsFor(row.language), chosen: null, path: null };
  return visitorOf(c, { project: brand.language, ...(chosen === undefined ? {} : { chosen }) });
}

function pageOf(form: PublicForm) {
  const { color, corner, width, theme } = lookOf(form);
  return {
    brand: { ...form.brand, color },
    theme,
    rules: `
main, footer { inline-size: min(${width}px, 100% - 2rem) }
main, button, .button, select, input[type="text"], input[type="email"], input[type="date"] { border-radius: ${corner}px }
form[aria-busy] button { cursor: progress; opacity: .6 }`,
  };
}

/** Browsers stop a form that is answered by a redirect to where its page may not post. */
const targetsOf = ({ row }: PublicForm) =>
  row.thanksUrl === null ? [] : [new URL(row.thanksUrl).origin];

const hiddenOf = (form: PublicForm, { chosen }: Visitor): Record<string, string> => ({
  stamp: formStamp(form.row.id, form.now),
  ...(form.row.proofOfWork ? { proof: "" } : {}),
  ...(chosen === null ? {} : { lang: chosen }),
});

const pathOf = ({ publicId }: PublicForm) => `/f/${publicId}`;

interface Again {
  refilled: Refilled;
  notice: "form.check" | "form.faults";
  status: number;
}

/** The page with the form; `again`: it was sent and is shown once more, with what was written and why. */
export function formPage(form: PublicForm, visitor: Visitor, again: Again | null) {
  const { texts } = visitor;
  const { title, lead } = wordsOf(form, texts);
  const works = form.row.proofOfWork;
  const markup = formMarkup(form, texts, {
    action: pathOf(form),
    hidden: hiddenOf(form, visitor),
    works,
    ...(again ? { refilled: again.refilled } : {}),
  });
  return {
    ...pageOf(form),
    visitor: { ...visitor, path: again ? null : visitor.path },
    title,
    ...(lead === "" ? {} : { lead }),
    ...(works ? { script: proofScript } : {}),
    children: (
      <>
        {again && <Notice warning>{texts.text(again.notice)}</Notice>}
        {raw(markup)}
      </>
    ),
  };
}

export function answerForm(
  c: Context,
  form: PublicForm,
  visitor: Visitor,
  again: Again | null,
): Response | Promise<Response> {
  const status = again?.status ?? 200;
  return answerPage(c, formPage(form, visitor, again), { status, formTargets: targetsOf(form) });
}

/** Asks which address was meant: one press takes either, along with whatever else was written. */
export function answerAdvice(
  c: Context,
  form: PublicForm,
  visitor: Visitor,
  { advice, posted }: { advice: AddressAdvice; posted: URLSearchParams },
): Response | Promise<Response> {
  const { texts } = visitor;
  const email = posted.get("email") ?? "";
  const rest = [...posted].filter(
    ([name]) => !["email", "keep", "stamp", "proof", trapName].includes(name),
  );
  const values: Record<string, string> =
    advice.kind === "typo" ? { suggestion: advice.suggestion } : { domain: advice.domain };
  const button = (name: "use" | "keep", address: string, primary: boolean) => (
    <button type="submit" name="keep" value={address} {...(primary ? { class: "primary" } : {})}>
      {texts.text(`form.advice.${name}`, { address })}
    </button>
  );
  return answerPage(
    c,
    {
      ...pageOf(form),
      visitor: { ...visitor, path: null },
      title: wordsOf(form, texts).title,
      lead: <Rich texts={texts} of={`form.advice.${advice.kind}`} values={values} />,
      ...(form.row.proofOfWork ? { script: proofScript } : {}),
      children: (
        <form
          method="post"
          action={pathOf(form)}
          class="stack"
          {...(form.row.proofOfWork ? { "data-proof": true } : {})}
        >
          <HiddenFields visitor={{ ...visitor, chosen: null }} fields={hiddenOf(form, visitor)} />
          {rest
            .filter(([name]) => name !== "lang")
            .map(([name, value]) => (
              <input type="hidden" name={name} value={value} />
            ))}
          <input type="hidden" name="email" value={email} />
          <div class="actions">
            {advice.kind === "typo" && button("use", advice.suggestion, true)}
            {button("keep", email, advice.kind !== "typo")}
          </div>
        </form>
      ),
    },
    { formTargets: targetsOf(form) },
  );
}

/** What everybody who has sent the form is told, whatever became of it. */
export function sentPage(form: PublicForm, visitor: Visitor) {
  const { thanksTitle, thanksText } = wordsOf(form, visitor.texts);
  return { ...pageOf(form), visitor, title: thanksTitle, lead: thanksText };
}

export const answerSent = (c: Context, form: PublicForm): Response | Promise<Response> =>
  answerPage(c, sentPage(form, formVisitor(c, form)));

/** Too many came: nothing was accepted. */
export function answerRate(
  c: Context,
  form: PublicForm,
  retryAfterSeconds: number,
): Response | Promise<Response> {
  const visitor = formVisitor(c, form);
  const { text } = visitor.texts;
  const minutes = Math.ceil(retryAfterSeconds / 60);
  c.header("retry-after", String(retryAfterSeconds));
  return answerPage(
    c,
    {
      ...pageOf(form),
      visitor,
      title: text("form.rate.title"),
      lead: text("form.rate.lead", { minutes }),
    },
    { status: 429 },
  );
}

/** What the link in a sign-up's mail shows; only the button confirms. */
export function answerSignUp(
  c: Context,
  { state, brand, name, email, language, person }: SignUpConfirmation,
  token: string,
): Response | Promise<Response> {
  const visitor = visitorOf(c, { person: language, project: brand.language });
  const { texts } = visitor;
  const lead = {
    open: "form.confirm.lead",
    subscribed: "form.confirmed.lead",
    left: "confirm.left.lead",
    expired: "form.expired.lead",
    gone: "confirm.gone.lead",
  } as const;
  const shown = state !== "used" ? state : person?.subscribed ? "subscribed" : "left";
  const listId = person?.listId ?? null;
  const leave: Record<string, string> =
    listId === null ? { action: "leave-all" } : { action: "leave", list: listId };
  return answerPage(c, {
    visitor,
    brand,
    title: texts.text(`confirm.${shown}.title`),
    lead: <Rich texts={texts} of={lead[shown]} values={{ name, list: name, email }} />,
    children: (
      <div class="actions">
        {state === "open" && (
          <PostButton
            visitor={visitor}
            action={`/f/confirm/${token}`}
            label={texts.text("confirm.button")}
            primary
          />
        )}
        {person !== null && (
          <a class="button" href={`/preferences/${person.token}`}>
            {texts.text("confirm.choose")}
          </a>
        )}
        {person?.subscribed && (
          <PostButton
            visitor={visitor}
            action={`/t/preferences/${person.token}`}
            fields={leave}
            label={texts.text("preferences.leave.about", { name })}
          />
        )}
      </div>
    ),
  });
}
