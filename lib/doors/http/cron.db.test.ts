import { describe, expect, test } from "vitest";
import { useTestDatabase } from "@/db/testing";
import { getEmail } from "@/lib/domain/emails/read";
import { sendEmail } from "@/lib/domain/emails/send";
import { env } from "@/lib/ground/env/env";
import { makeProject } from "@/lib/testing";
import { createCronApp } from "./cron";

const database = useTestDatabase();

const call = (job: string, secret?: string, method = "GET") =>
  createCronApp().request(`http://localhost/api/cron/${job}`, {
    method,
    headers: secret ? { authorization: `Bearer ${secret}` } : {},
  });
const secret = () => env().CRON_SECRET ?? "";

describe("cron routes", () => {
  test("one call of dispatch delivers what waits, where no worker runs", async () => {
    const { ctx } = await makeProject(database.db);
    const { result } = await sendEmail(ctx, {
      to: "ada@example.com",
      from: "hello@sandbox.test",
      subject: "Hi",
      body: "<p>Hi</p>",
    });
    const response = await call("dispatch", secret(), "POST");
    expect(response.status).toBe(200);
    const email = await getEmail(ctx, result.data.emails[0]?.email ?? "");
    expect(email.status).toBe("DELIVERED");
  });

  test("tick runs every job that is due, and a periodic one once a period", async () => {
    const first = (await (await call("tick", secret())).json()) as {
      jobs: Record<string, unknown>;
    };
    expect(Object.keys(first.jobs)).toEqual(expect.arrayContaining(["dispatch", "domains"]));
    const again = (await (await call("tick", secret())).json()) as {
      jobs: Record<string, unknown>;
    };
    expect(again.jobs["cleanup"]).toBeNull();
  });

  test("nobody without the secret, no unknown job, no other method", async () => {
    expect((await call("dispatch")).status).toBe(401);
    expect((await call("dispatch", `${secret()}x`)).status).toBe(401);
    expect((await call("nope", secret())).status).toBe(404);
    const put = await call("dispatch", secret(), "PUT");
    expect([put.status, put.headers.get("allow")]).toEqual([405, "GET, POST"]);
  });
});
