import { ReadableStream } from "node:stream/web";
import { NextRequest } from "next/server";
import { expect, test } from "vitest";
import { POST } from "./route";

test("a body beyond 16 kB is refused while it comes, before next-auth reads it", async () => {
  let sent = 0;
  const endless = new ReadableStream<Uint8Array>({
    pull(controller) {
      sent += 4096;
      controller.enqueue(new Uint8Array(4096));
    },
  });
  const request = new NextRequest("http://localhost:3000/api/auth/callback/password", {
    method: "POST",
    body: endless as unknown as BodyInit,
    duplex: "half",
  });
  const params = Promise.resolve({ nextauth: ["callback", "password"] });
  const response = await POST(request, { params });
  expect(response.status).toBe(413);
  expect(await response.json()).toMatchObject({ error: { code: "PAYLOAD_TOO_LARGE" } });
  expect(sent).toBeLessThan(64 * 1024);
});
