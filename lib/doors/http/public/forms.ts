import { Hono, type Context } from "hono";
import { database } from "@/db/client";
import { adviceOn } from "@/lib/domain/forms/address-advice";
import { confirmSignUp, getSignUp } from "@/lib/domain/forms/confirm";
import { readEntry } from "@/lib/domain/forms/entry";
import { countForm } from "@/lib/domain/forms/figures";
import { trapName } from "@/lib/domain/forms/markup";
import { isProof } from "@/lib/domain/forms/proof-of-work";
import { findPublicForm, type PublicForm } from "@/lib/domain/forms/public-form";
import { takeSignUp } from "@/lib/domain/forms/sign-up";
import { shownFormText } from "@/lib/domain/forms/words";
import { callerSubject, takeFromRate } from "@/lib/ground/rate-limit";
import { sign } from "@/lib/ground/secrets";
import { readFormStamp, readSignUpToken } from "@/lib/mail/tracking/tokens";
import { readStrangersBody } from "@/lib/doors/http/surface/body";
import { visitorOf, type Visitor } from "./pages/frame";
import {
  answerAdvice,
  answerForm,
  answerRate,
  answerSent,
  answerSignUp,
  formVisitor,
} from "./pages/form";
import { answerMessage } from "./pages/message";
import { pixelAnswer } from "./pixel";
import {
  answerError,
  back,
  type Env,
  largestFormBytes,
  readForm,
  refuseOtherMethods,
  setPrivate,
  visitOf,
  withQuery,
} from "./recipient-form";

/** A page younger than this was not filled in by hand; an older one may be from a robot's store. */
const leastAgeSeconds = 2;
const greatestAgeSeconds = 24 * 60 * 60;

/** Posts by one caller (IPv4, or an IPv6 /64) and to one form; without proof of work, where a form wants it. */
const limits = {
  caller: { limit: 20, windowSeconds: 10 * 60 },
  form: { limit: 1_200, windowSeconds: 60 * 60 },
  callerWithoutProof: { limit: 3, windowSeconds: 60 * 60 },
  formWithoutProof: { limit: 60, windowSeconds: 60 * 60 },
};

/**
 * The sender of a form waits at least this long for the answer: the time it took would tell whether the
 * address is known.
 */
const leastAnswerMilliseconds = 400;

async function noSoonerThan<T>(work: Promise<T>): Promise<T> {
  const [outcome] = await Promise.allSettled([
    work,
    new Promise((resolve) => setTimeout(resolve, leastAnswerMilliseconds)),
  ]);
  if (outcome.status === "rejected") throw outcome.reason;
  return outcome.value;
}

/** Takes one from each limit, until one is used up. null: none is; otherwise when to come back. */
async function exceeded(
  named: readonly [subject: string, rule: { limit: number; windowSeconds: number }][],
): Promise<number | null> {
  for (const [subject, rule] of named) {
    const state = await takeFromRate(database(), { subject, ...rule });
    if (!state.allowed) return state.retryAfterSeconds;
  }
  return null;
}

/** Back to a page, so that reloading it sends nothing, or to where the form's owner wants people. */
function sentAnswer(c: Context<Env>, { publicId, row }: PublicForm, chosen: string | null) {
  const sent = withQuery(`/f/${publicId}/sent`, chosen === null ? {} : { lang: chosen });
  return c.redirect(row.thanksUrl ?? sent, 303);
}

function refused(c: Context<Env>, form: PublicForm, visitor: Visitor) {
  const counted = countForm(database(), { formId: form.row.id, figure: "refused" });
  return noSoonerThan(counted.then(() => sentAnswer(c, form, visitor.chosen)));
}

/** Whether the page that was sent came with its proof of work, which counts only once. */
async function isProven(stamp: string, proof: string): Promise<boolean> {
  if (!isProof(stamp, proof)) return false;
  const subject = `form-proof:${sign("form-proof", stamp)}`;
  const once = { subject, limit: 1, windowSeconds: greatestAgeSeconds };
  return (await takeFromRate(database(), once)).allowed;
}

/** `keep` says which address was meant after all. */
function settleAddress(posted: URLSearchParams): boolean {
  const kept = posted.get("keep");
  if (kept === null) return false;
  posted.set("email", kept);
  return true;
}

async function take(c: Context<Env>, form: PublicForm, posted: URLSearchParams, visitor: Visitor) {
  const { row } = form;
  const settled = settleAddress(posted);
  const { values, faults, entry } = readEntry(form, posted);
  const again = (notice: "form.check" | "form.faults", status: number) =>
    answerForm(c, form, visitor, { refilled: { values, faults }, notice, status });
  if (entry === null) return again("form.faults", 422);
  // One more press rather than "sent" to nobody: a snippet's form has no stamp, since its page is not ours, and people
  // whose browser fills in the form are as quick as a robot. Nor does it tell whether the address is known.
  const stamp = posted.get("stamp") ?? "";
  const madeAt = readFormStamp(row.id, stamp);
  const age = madeAt === null ? -1 : form.now - madeAt;
  if (age < leastAgeSeconds || age > greatestAgeSeconds) return again("form.check", 200);
  const advice = settled ? null : adviceOn(entry.email);
  if (advice) return answerAdvice(c, form, visitor, { advice, posted });
  const visit = visitOf(c);
  const mustConfirm = row.proofOfWork && !(await isProven(stamp, posted.get("proof") ?? ""));
  if (mustConfirm) {
    const retryAfter = await exceeded([
      [callerSubject("form-unproven", visit.ipAddress), limits.callerWithoutProof],
      [`form-unproven:${row.id}`, limits.formWithoutProof],
    ]);
    if (retryAfter !== null) return answerRate(c, form, retryAfter);
  }
  const { texts } = visitor;
  const evidence = { ...visit, text: shownFormText(form, texts) };
  const signUp = { entry, language: texts.language, evidence, mustConfirm };
  await noSoonerThan(takeSignUp(database(), form, signUp));
  return sentAnswer(c, form, visitor.chosen);
}

async function withForm(
  c: Context<Env>,
  answer: (form: PublicForm) => Response | Promise<Response>,
): Promise<Response> {
  const form = await findPublicForm(database(), c.req.param("form") ?? "");
  if (form === null) return answerMessage(c, "form.unknown", { status: 404 });
  const { brand, row } = form;
  return row.open ? answer(form) : answerMessage(c, "form.closed", { status: 410, brand });
}

/** A link that is not ours, or one of ours whose sign-up is no longer kept. */
const noSignUp = (c: Context<Env>, token: string) =>
  answerMessage(c, readSignUpToken(token) === null ? "link.unknown" : "form.gone", { status: 404 });

/** The pages of sign-up forms. GET and HEAD subscribe nobody; no cookie is set or read. */
export function createFormRoutes(): Hono<Env> {
  const routes = new Hono<Env>({ strict: false });
  routes.use("/f/*", async (c: Context<Env>, next) => {
    setPrivate(c);
    await next();
  });

  routes.get("/f/confirm/:token", async (c) => {
    const token = c.req.param("token");
    const signUp = await getSignUp(database(), token);
    return signUp ? answerSignUp(c, signUp, token) : noSignUp(c, token);
  });
  routes.post("/f/confirm/:token", async (c) => {
    const { language: chosen } = await readForm(c);
    const token = c.req.param("token");
    const before = await getSignUp(database(), token);
    if (!before) return noSignUp(c, token);
    const { name, email, language, brand } = before;
    const { texts } = visitorOf(c, {
      chosen: chosen["lang"],
      person: language,
      project: brand.language,
    });
    const text = texts.rich("form.confirm.lead", { name, email }, (bold) => bold).join("");
    const signUp = await confirmSignUp(database(), token, { ...visitOf(c), text });
    if (signUp?.state === "gone") return answerSignUp(c, signUp, token);
    return back(c, "f/confirm", chosen);
  });

  routes.get("/f/:form/seen.gif", async (c) => {
    const form = await findPublicForm(database(), c.req.param("form"));
    if (form && c.req.method === "GET") {
      await countForm(database(), { formId: form.row.id, figure: "seen" });
    }
    return pixelAnswer(form ? 200 : 404, { "cross-origin-resource-policy": "cross-origin" });
  });
  routes.get("/f/:form/sent", (c) => withForm(c, (form) => answerSent(c, form)));
  routes.get("/f/:form", (c) =>
    withForm(c, async (form) => {
      // A browser that prefetches the page has shown it to nobody.
      const ahead = /prefetch|prerender/.test(c.req.header("sec-purpose") ?? "");
      if (c.req.method === "GET" && !ahead) {
        await countForm(database(), { formId: form.row.id, figure: "seen" });
      }
      return answerForm(c, form, formVisitor(c, form), null);
    }),
  );
  routes.post("/f/:form", async (c) => {
    const body = await readStrangersBody(c.req.raw, c.env, largestFormBytes);
    return withForm(c, async (form) => {
      const posted = new URLSearchParams(body.toString("utf8"));
      const retryAfter = await exceeded([
        [callerSubject("form-caller", visitOf(c).ipAddress), limits.caller],
        [`form-all:${form.row.id}`, limits.form],
      ]);
      if (retryAfter !== null) return answerRate(c, form, retryAfter);
      const chosen = posted.get("lang")?.slice(0, 35) ?? null;
      const visitor = formVisitor(c, form, chosen);
      return posted.get(trapName) ? refused(c, form, visitor) : take(c, form, posted, visitor);
    });
  });

  refuseOtherMethods(routes, {
    "/f/confirm/:token": "GET, HEAD, POST",
    "/f/:form/seen.gif": "GET, HEAD",
    "/f/:form/sent": "GET, HEAD",
    "/f/:form": "GET, HEAD, POST",
  });
  routes.onError(answerError);
  return routes;
}
