import { Hono } from "hono";
import { database } from "@/db/client";
import { createAttachmentRoutes } from "./attachments";
import { createConnectionHooks } from "./connection-hooks";
import { createFormRoutes } from "./forms";
import { guardHost, leadAway } from "./host-guard";
import { answerError, setPrivate, unknownLink, type Env } from "./recipient-form";
import { createRecipientRoutes } from "./recipient";
import { createVisitRoutes } from "./visits";

/** Answers the links and pictures in mail, those to files of mail that came in, and providers' reports; each address of mail carries a token made by lib/mail/tracking/tokens.ts. */
export function createTrackingApp(): Hono<Env> {
  const app = new Hono<Env>({ strict: false });
  app.use(guardHost(database));
  app.use(leadAway(database));
  app.route("/", createRecipientRoutes());
  app.route("/", createFormRoutes());
  app.route("/", createVisitRoutes(database));
  app.route("/", createAttachmentRoutes(database));
  app.route("/", createConnectionHooks(database));
  app.notFound((c) => {
    setPrivate(c);
    return unknownLink(c);
  });
  app.onError(answerError);
  return app;
}
