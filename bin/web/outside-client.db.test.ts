import type { Server } from "node:http";
import Plunk from "@plunk/node";
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { contacts, emails, messages } from "@/db/schema";
import { useTestDatabase } from "@/db/testing";
import { makeProject, type TestProject } from "@/lib/testing";
import { close } from "./listen";
import { startWebServer } from "./test-server";

/*
 * A client that others wrote for another product, unchanged but for its base URL and key, against
 * the server that `npm run web` starts.
 */
const database = useTestDatabase();
let server: Server;
let origin: string;
let project: TestProject;

// CommonJS with a default export: without a bundler it stands one deeper.
const Client = "default" in Plunk ? (Plunk as unknown as { default: typeof Plunk }).default : Plunk;

beforeAll(async () => {
  project = await makeProject(database.db);
  ({ server, origin } = await startWebServer());
});
afterAll(() => close(server));

const mail = {
  from: "hello@sandbox.test",
  subject: "From an outside client",
  body: "<p>Hello</p>",
};

describe("@plunk/node", () => {
  test.each(["/v1/", "/"])("sends with %s as its base", async (base) => {
    const client = new Client(project.apiKey, { baseUrl: origin + base });
    const to = `one${base.length}@example.com`;
    const answer = await client.emails.send({ ...mail, to, name: "Shop", subscribed: true });
    expect(answer).toMatchObject({
      success: true,
      data: { emails: [{ contact: { email: to }, email: expect.stringMatching(/^em_/) }] },
    });
    const [sent] = await database.db
      .select({ subject: messages.subject, html: messages.html })
      .from(emails)
      .innerJoin(messages, eq(messages.id, emails.messageId))
      .where(eq(emails.recipient, to));
    expect(sent).toEqual({ subject: mail.subject, html: mail.body });
    const [contact] = await database.db.select().from(contacts).where(eq(contacts.email, to));
    expect(contact?.consent).toBe("subscribed");
  });

  test("sends to several, each with a record of their own", async () => {
    const client = new Client(project.apiKey, { baseUrl: `${origin}/v1/` });
    const to = ["two@example.com", "three@example.com"];
    const { data } = (await client.emails.send({ ...mail, to })) as unknown as {
      data: { emails: { contact: { email: string } }[] };
    };
    expect(data.emails.map(({ contact }) => contact.email)).toEqual(to);
  });

  test("says what is wrong with the key, and that there is no event tracking", async () => {
    const stranger = new Client("sk_live_nobody", { baseUrl: `${origin}/v1/` });
    await expect(stranger.emails.send({ ...mail, to: "a@example.com" })).rejects.toThrow(
      "Invalid API Credentials Provided",
    );
    const client = new Client(project.apiKey, { baseUrl: `${origin}/v1/` });
    await expect(client.events.track({ event: "signup", email: "a@example.com" })).rejects.toThrow(
      "That resource could not be found",
    );
  });
});
