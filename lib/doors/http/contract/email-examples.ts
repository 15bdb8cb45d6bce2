import { capturedEmails } from "@/db/schema";
import { encodeId, newId } from "@/lib/ground/ids/ids";
import type { TestProject } from "@/lib/testing";
import { doors } from "./doors";
import { nextNumber, nothing, paging, type Example } from "./example";

const message = () => ({
  to: `delivered+${nextNumber()}@sandbox.test`,
  from: "hello@sandbox.test",
  subject: "Hello",
  body: "<p>Hello</p>",
});

/** An email that waits until tomorrow: it can be read, moved and cancelled. */
async function waitingEmail(project: TestProject, more: object = {}): Promise<string> {
  const scheduledAt = new Date(Date.now() + 24 * 3_600_000).toISOString();
  const answer = await doors.hono({
    method: "POST",
    path: "/v1/send",
    headers: { authorization: `Bearer ${project.apiKey}` },
    body: { ...message(), scheduledAt, ...more },
  });
  const { data } = answer.body as { data: { emails: [{ email: string }] } };
  return data.emails[0].email;
}

/** A message that was handed over to the mailbox instead of a mail server. */
async function anyCaptured({ ctx, projectId }: TestProject): Promise<string> {
  const [row] = await ctx.db
    .insert(capturedEmails)
    .values({
      id: newId(projectId),
      projectId,
      envelopeFrom: "b@bounces.sandbox.test",
      envelopeTo: "delivered@sandbox.test",
      raw: Buffer.from(
        'From: hello@sandbox.test\r\nSubject: Hello\r\nContent-Disposition: attachment; filename="a.bin"\r\n' +
          "Content-Type: application/octet-stream\r\n\r\nHello\r\n",
      ),
    })
    .returning({ id: capturedEmails.id });
  if (!row) throw new Error("An insert returned no row.");
  return encodeId("capture", row.id);
}

const attachments = [{ filename: "a.txt", content: "SGVsbG8=" }];
const emailWithFile = (project: TestProject) => waitingEmail(project, { attachments });
const email = {
  id: (project: TestProject) => waitingEmail(project),
  unknownId: encodeId("email", nothing),
};
const captured = { id: anyCaptured, unknownId: encodeId("capture", nothing) };

export const emailExamples: Record<string, Example> = {
  sendEmail: { body: message },
  sendBatch: { body: () => ({ emails: [message(), message()] }) },
  listEmails: paging,
  listEmailDetails: {
    query: { ids: encodeId("email", nothing) },
    wrongQuery: [{ ids: "nonsense" }, { ids: `${encodeId("email", nothing)},` }],
  },
  getEmail: email,
  rescheduleEmail: {
    ...email,
    body: () => ({ scheduledAt: new Date(Date.now() + 48 * 3_600_000).toISOString() }),
  },
  cancelEmail: email,
  getEmailContent: email,
  getEmailAttachment: { ...email, id: emailWithFile, query: { position: "0" } },
  getCapturedAttachment: { ...captured, query: { position: "0" } },
  listCapturedEmails: paging,
  getCapturedEmail: captured,
  deleteCapturedEmail: captured,
  clearCapturedEmails: {},
};
