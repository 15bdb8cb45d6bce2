import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { capturedEmails } from "@/db/schema";
import { useTestDatabase } from "@/db/testing";
import { env } from "@/lib/ground/env/env";
import { makeProject } from "@/lib/testing";
import { sendDirectMail } from "./send";

const database = useTestDatabase();

test("mail that lets somebody in goes unsigned when its domain's key cannot be read", async () => {
  const { projectId } = await makeProject(database.db);
  const sent = await sendDirectMail(
    database.db,
    {
      fromName: "Lettermill",
      to: { name: "Ada", address: "ada@example.org" },
      subject: "Set a new password",
      html: "<p>Here</p>",
      text: "Here",
    },
    {
      sender: { name: "broken.test", selector: "lm1", dkimPrivateKeySealed: "AAAA" },
      mailbox: () => Promise.resolve({ projectId, readerUserId: null }),
    },
  );
  expect(sent).toBe(true);
  const [captured] = await database.db
    .select()
    .from(capturedEmails)
    .where(eq(capturedEmails.projectId, projectId));
  expect(captured?.envelopeFrom).toBe(`no-reply@${env().MAIL_HOSTNAME}`);
});
