import { listInbound } from "@/lib/domain/inbound/read";
import { takeInbound } from "@/lib/domain/inbound/receive";
import { receiveMail } from "@/lib/mail/incoming/incoming";
import type { TestProject } from "@/lib/testing";

let writtenSoFar = 0;

/** A message that came in for the project, with a file. */
export async function anyInbound({ ctx, projectId }: TestProject): Promise<string> {
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
