import { sendEmail } from "@/lib/domain/emails/send";
import { decodeId } from "@/lib/ground/ids/ids";
import { recipientToken } from "@/lib/mail/tracking/tokens";
import { sendingDomain, type Bomb, type Target, type Wave } from "./target";

const lanes = 2;
const bodyLength = 4_500_000;
const fileLength = 12_000_000;

/** Mail of some 20 MB, opened again and again by who sent it and, with its own link, by anybody. */
export async function viewBombs(target: Target): Promise<Wave[]> {
  const { ctx } = target;
  const { result } = await sendEmail(ctx, {
    to: "nobody@example.org",
    from: `hello@${sendingDomain}`,
    subject: "Large",
    body: `<p>${"What a large mail says. ".repeat(bodyLength / 24)}</p>`,
    attachments: [
      {
        filename: "large.bin",
        content: Buffer.alloc(fileLength, "what a large file says ").toString("base64"),
        contentType: "application/octet-stream",
      },
    ],
  });
  const id = result.data.emails[0]?.email ?? "";
  const { prefix, headers } = await target.session();
  const email = `${prefix}/v1/emails/${id}`;
  const views: Record<string, () => Promise<string>> = {
    "views of a mail of 20 MB in the dashboard": () => target.ask(`${email}/content`, { headers }),
    "downloads of its attachment": () => target.ask(`${email}/attachment?position=0`, { headers }),
    "views of it in the browser": () =>
      target.ask(`/view/${recipientToken(decodeId("email", id) ?? "")}`, {}),
  };
  return Object.entries(views).map(([name, view]) => {
    const bomb: Bomb = { name, throw: view };
    return { lanes, bombs: [bomb] };
  });
}
