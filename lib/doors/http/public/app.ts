import { Hono } from "hono";
import { database } from "@/db/client";
import type { NodeBindings } from "@/lib/doors/http/surface/client-address";
import { createAttachmentRoutes } from "./attachments";
import { createFormRoutes } from "./forms";
import { createRecipientRoutes } from "./recipient";
import { createVisitRoutes } from "./visits";

/** Answers the links and pictures in mail, and those to files of mail that came in; each address carries a token made by lib/mail/tracking/tokens.ts. */
export function createTrackingApp(): Hono<{ Bindings: NodeBindings }> {
  const app = new Hono<{ Bindings: NodeBindings }>({ strict: false });
  app.route("/", createRecipientRoutes());
  app.route("/", createFormRoutes());
  app.route("/", createVisitRoutes(database));
  app.route("/", createAttachmentRoutes(database));
  app.notFound((c) => c.text("There is nothing at this address.\n", 404));
  return app;
}
