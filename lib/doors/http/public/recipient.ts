import { Hono, type Context } from "hono";
import { database } from "@/db/client";
import { changePreferences, unsubscribeByToken } from "@/lib/domain/opt-outs/change-preferences";
import { confirmSubscription, getConfirmation } from "@/lib/domain/opt-outs/double-opt-in";
import { getPreferences } from "@/lib/domain/opt-outs/preferences";
import { preferenceChange, type Preferences, type Restoring } from "@/lib/domain/opt-outs/schema";
import { openUndo, sealUndo, undoOf } from "@/lib/domain/opt-outs/undo";
import type { Evidence } from "@/lib/domain/contacts/consent-changes";
import { viewMail } from "@/lib/domain/opt-outs/view-in-browser";
import { readStrangersBody } from "@/lib/doors/http/surface/body";
import { personRequestInput } from "@/lib/domain/person-requests/schema";
import { mailDocument, mailPolicy } from "./mail-document";
import { answerConfirmation } from "./pages/confirmation";
import { visitorOf } from "./pages/frame";
import { answerMessage } from "./pages/message";
import { answerPreferences } from "./pages/preferences";
import {
  answerError,
  back,
  largestFormBytes,
  readForm,
  refuseOtherMethods,
  setPrivate,
  unknownLink,
  unknownMail,
  visitOf,
  type Env,
} from "./recipient-form";
import { addPersonRequestRoutes, answerAsking } from "./person-requests";
import { addReportRoutes } from "./reports";
import { shownText } from "./shown-text";

/** What somebody asks for; `undoes`: with the button that takes their last choice back. */
interface Wanted {
  change: Restoring;
  undoes: boolean;
}

/** null: not something that the page offers. */
function readWanted(token: string, fields: Record<string, string>): Wanted | null {
  if (fields["action"] === "undo") {
    const change = openUndo(token, fields["undo"] ?? "");
    return change && { change, undoes: true };
  }
  const { success, data } = preferenceChange.safeParse(fields);
  return success ? { change: data, undoes: false } : null;
}

/** What the page that confirms a change is told: which change, and of what. */
function doneOf(change: Restoring): Record<string, string> {
  return {
    done: change.action === "pause-until" ? "pause" : change.action,
    ...("list" in change ? { list: change.list } : {}),
    ...("topic" in change ? { topic: change.topic } : {}),
  };
}

function evidenceOf(
  c: Context<Env>,
  preferences: Preferences,
  { change, undoes }: Wanted,
  language: Record<string, string>,
): Evidence {
  const { brand, person, lists, topics } = preferences;
  const { texts } = visitorOf(c, { chosen: language["lang"], person, project: brand.language });
  const named =
    "list" in change
      ? lists.find(({ id }) => id === change.list)
      : "topic" in change
        ? topics.find(({ id }) => id === change.topic)
        : undefined;
  const shown = { project: brand.project, name: named?.name ?? null, undoes };
  return { ...visitOf(c), text: shownText(texts, change, shown) };
}

/**
 * What people can do with the links in their mail. The token is the credential: no cookie is read, and GET
 * and HEAD change nothing, since scanners open every link.
 */
export function createRecipientRoutes(): Hono<Env> {
  const routes = new Hono<Env>({ strict: false });
  routes.use(async (c, next) => {
    setPrivate(c);
    await next();
  });

  // RFC 8058: answered directly, since a redirect would lose the body. Mail programs spell the body in more
  // ways than the RFC does, and no program posts here unless it means to, so the body is not looked at.
  routes.post("/t/u/:token", async (c) => {
    await readStrangersBody(c.req.raw, c.env, largestFormBytes);
    const evidence = { ...visitOf(c), text: "List-Unsubscribe-Post: List-Unsubscribe=One-Click" };
    const outcome = await unsubscribeByToken(database(), c.req.param("token"), evidence);
    if (outcome === null) return unknownMail(c);
    return c.text("You are unsubscribed.\n");
  });
  routes.get("/t/u/:token", (c) => back(c, "preferences", { unsubscribe: "" }));

  routes.get("/preferences/:token", async (c) => {
    const token = c.req.param("token");
    const preferences = await getPreferences(database(), token);
    if (preferences === null) return unknownMail(c);
    if (preferences === "deleted") return answerMessage(c, "link.deleted", { status: 200 });
    const { unsubscribe, done = null, list = null, topic = null, undo = "" } = c.req.query();
    const isUndoable = openUndo(token, undo) !== null;
    const visit = {
      ...{ unsubscribe: unsubscribe !== undefined, done, list, topic },
      undo: isUndoable ? undo : null,
    };
    return answerPreferences(c, preferences, { token, visit });
  });
  routes.post("/t/preferences/:token", async (c) => {
    const token = c.req.param("token");
    const { fields, language } = await readForm(c);
    const asked = personRequestInput.safeParse(fields);
    if (asked.success) return answerAsking(c, asked.data, language);
    const wanted = readWanted(token, fields);
    if (!wanted) return answerMessage(c, "page.refused", { status: 400 });
    const { change } = wanted;
    const preferences = await getPreferences(database(), token);
    if (preferences === null) return unknownMail(c);
    if (preferences === "deleted") return back(c, "preferences", language);
    const evidence = evidenceOf(c, preferences, wanted, language);
    const outcome = await changePreferences(database(), token, change, evidence);
    if (outcome === null) return unknownMail(c);
    const undo = outcome === "changed" ? undoOf(preferences, change) : null;
    const wayBack: Record<string, string> = undo ? { undo: sealUndo(token, undo) } : {};
    return back(c, "preferences", { ...doneOf(change), ...language, ...wayBack });
  });

  routes.get("/confirm/:token", async (c) => {
    const token = c.req.param("token");
    const confirmation = await getConfirmation(database(), token);
    return confirmation ? answerConfirmation(c, confirmation, token) : unknownLink(c);
  });
  routes.post("/t/confirm/:token", async (c) => {
    const { language } = await readForm(c);
    const token = c.req.param("token");
    const before = await getConfirmation(database(), token);
    if (!before) return unknownLink(c);
    const { list, brand } = before;
    const chosen = language["lang"] ?? null;
    const project = brand?.language ?? null;
    const { texts } = visitorOf(c, { chosen, person: before.person, project });
    const words = { list, email: "{email}", project: brand?.project ?? "" };
    const text = texts.rich("confirm.open.lead", words, (bold) => bold).join("");
    const confirmation = await confirmSubscription(database(), token, { ...visitOf(c), text });
    return confirmation === null ? unknownLink(c) : back(c, "confirm", language);
  });

  addPersonRequestRoutes(routes);
  addReportRoutes(routes);

  routes.get("/view/:token", async (c) => {
    const mail = await viewMail(database(), c.req.param("token"));
    if (!mail) return answerMessage(c, "view.nothing", { status: 404 });
    c.header("content-security-policy", mailPolicy);
    return c.html(mailDocument(mail));
  });

  refuseOtherMethods(routes, {
    "/t/u/:token": "GET, HEAD, POST",
    "/t/preferences/:token": "POST",
    "/t/confirm/:token": "POST",
    "/view/:token": "GET, HEAD",
    "/preferences/:token": "GET, HEAD",
    "/confirm/:token": "GET, HEAD",
    "/t/request/:token": "POST",
    "/request/:token": "GET, HEAD",
    "/report/:token": "GET, HEAD",
    "/report/:token/mail/:variant": "GET, HEAD",
  });
  routes.onError(answerError);
  return routes;
}
