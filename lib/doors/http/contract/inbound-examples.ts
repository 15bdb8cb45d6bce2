import { listInbound } from "@/lib/domain/inbound/read";
import { takeInbound } from "@/lib/domain/inbound/receive";
import { receiveMail } from "@/lib/mail/incoming/incoming";
import { encodeId } from "@/lib/ground/ids/ids";
import type { TestProject } from "@/lib/testing";
import type { Example } from "./example";

let writtenSoFar = 0;

/** A message that came in for the project, with a file. */
async function anyInbound({ ctx, projectId }: TestProject): Promise<string> {
  const raw = Buffer.from(
    [
      `Message-ID: <${++writtenSoFar}@writer.invalid>`,
      "From: Ada <delivered+ada@sandbox.test>",
      "Subject: Hello",
      'Content-Type: multipart/mixed; boundary="b"',
      "",
      "--b\r\n\r\nHello",
      "--b\r\nContent-Disposition: attachment; filename=a.txt\r\n\r\nfile",
      "--b--",
    ].join("\r\n"),
  );
  const session = { ip: "127.0.0.1", helo: "localhost", sender: "ada@[127.0.0.1]", ownHost: "a" };
  const delivered = {
    projectId,
    patterns: [],
    recipients: ["hello@sandbox.test"],
    envelopeFrom: "ada@writer.invalid",
    raw,
  };
  await takeInbound(ctx.db, delivered, await receiveMail(projectId, raw, session));
  const { data } = await listInbound(ctx, { limit: 1 });
  return data[0]?.id ?? "";
}

const mail: Example = {
  id: anyInbound,
  unknownId: encodeId("inbound", "01890000-0000-7000-8000-000000000000"),
};

/** For a message that came in. */
export const inboundExamples: Record<string, Example> = {
  getInbound: mail,
  getInboundDocument: mail,
  getInboundAttachment: { ...mail, query: { position: "0" } },
  replyToInbound: { ...mail, body: () => ({ text: "Hello" }) },
  deleteInbound: mail,
};
