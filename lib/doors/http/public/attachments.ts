import { Hono } from "hono";
import type { Database } from "@/db/client";
import { findLinkedFile } from "@/lib/domain/inbound/attachment-links";
import { bytesOf, downloadHeaders } from "@/lib/doors/http/surface/download";

/** `GET /t/a/{token}`: a file of mail that came in, for anybody who has its link. */
export function createAttachmentRoutes(db: () => Database) {
  const app = new Hono();
  app.get("/t/a/:token", async (c) => {
    const file = await findLinkedFile(db(), c.req.param("token"));
    if (!file) return c.text("This link is not valid, or has expired.\n", 404);
    return new Response(bytesOf(file), {
      headers: { ...downloadHeaders(file), "cache-control": "private, no-store" },
    });
  });
  app.all("/t/a/:token", (c) =>
    c.text("Only GET and HEAD are allowed here.\n", 405, { allow: "GET, HEAD" }),
  );
  return app;
}
