import type { Context, Hono } from "hono";
import { database } from "@/db/client";
import { askFor } from "@/lib/domain/person-requests/ask";
import { confirmPersonRequest, undoAddressChange } from "@/lib/domain/person-requests/confirm";
import { getPersonRequest } from "@/lib/domain/person-requests/read";
import type { PersonRequestInput } from "@/lib/domain/person-requests/schema";
import { takeFromRate } from "@/lib/ground/rate-limit";
import { acceptedLanguages } from "@/lib/ground/texts/texts";
import { visitorOf } from "./pages/frame";
import { answerMessage } from "./pages/message";
import { answerPersonRequest } from "./pages/person-request";
import { back, readForm, unknownLink, unknownMail, visitOf, type Env } from "./recipient-form";

/** A copy reads all of a person's mail: nobody needs more than this in an hour. */
const mostDownloads = 10;

/** Keeps what somebody asked for on their preference page, and leads back to it. */
export async function answerAsking(
  c: Context<Env>,
  wanted: PersonRequestInput,
  language: Record<string, string>,
): Promise<Response> {
  const languages = [
    language["lang"] ?? null,
    ...acceptedLanguages(c.req.header("accept-language")),
  ];
  const outcome = await askFor(database(), c.req.param("token") ?? "", wanted, languages);
  if (outcome === null) return unknownMail(c);
  if (outcome === "deleted" || outcome === "refused") return back(c, "preferences", language);
  const done = outcome === "asked" ? wanted.action : outcome;
  return back(c, "preferences", { done, ...language });
}

async function answerConfirming(c: Context<Env>): Promise<Response> {
  const { fields, language } = await readForm(c);
  const token = c.req.param("token") ?? "";
  const request = await getPersonRequest(database(), token);
  if (!request) return unknownLink(c);
  const { brand, person, kind } = request;
  const chosen = language["lang"] ?? null;
  const { texts } = visitorOf(c, { chosen, person, project: brand?.language ?? null });
  // The text is kept for good, and the address is not.
  const words = { project: brand?.project ?? "", email: "{email}" };
  const shown = texts.rich(`request.${kind}.open.lead`, words, (bold) => bold).join("");
  const undo = fields["action"] === "undo";
  const evidence = { ...visitOf(c), text: undo ? texts.text("request.address.undo") : shown };
  if (undo) {
    await undoAddressChange(database(), token, evidence);
    return back(c, "request", language);
  }
  if (kind === "download") {
    const rule = {
      subject: `download:${token.slice(0, 21)}`,
      limit: mostDownloads,
      windowSeconds: 3_600,
    };
    const { allowed, retryAfterSeconds } = await takeFromRate(database(), rule);
    if (!allowed) {
      c.header("retry-after", String(retryAfterSeconds));
      return answerMessage(c, "page.busy", { status: 429 });
    }
  }
  const outcome = await confirmPersonRequest(database(), token, evidence);
  if (outcome === null) return unknownLink(c);
  // Nothing is known about an erased person, not even their language.
  const erased = kind === "erase" && outcome === "done";
  if (typeof outcome === "string")
    return back(c, "request", erased ? { lang: texts.language } : language);
  return c.body(outcome.archive, 200, {
    "content-type": "application/zip",
    "content-disposition": 'attachment; filename="my-data.zip"',
  });
}

/** The page behind the link in a mail that asks to confirm something, and its button. */
export function addPersonRequestRoutes(routes: Hono<Env>): void {
  routes.get("/request/:token", async (c) => {
    const token = c.req.param("token");
    const request = await getPersonRequest(database(), token);
    return request ? answerPersonRequest(c, request, token) : unknownLink(c);
  });
  routes.post("/t/request/:token", answerConfirming);
}
