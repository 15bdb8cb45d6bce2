import { z } from "zod";
import { getCapturedAttachment } from "@/lib/domain/emails/captured";
import { getInboundAttachment } from "@/lib/domain/inbound/read";
import { getEmailAttachment } from "@/lib/domain/emails/content";
import type { AttachedFile } from "@/lib/mail/message/message-view";
import { bytesOf, downloadHeaders } from "@/lib/doors/http/surface/download";
import { operation, type OperationAnswer } from "@/lib/doors/http/surface/operation";
import { emailExample } from "./examples";
import { idParam } from "./parameters";

function download(file: AttachedFile): OperationAnswer<never> {
  return { status: 200, stream: bytesOf(file), headers: downloadHeaders(file) };
}

const query = z.strictObject({
  position: z
    .string()
    .regex(/^\d{1,4}$/, "must be a position among the message's attachments")
    .transform(Number)
    .meta({ description: "Position among the message's attachments, from 0." }),
});

const shared = {
  access: "viewer",
  rate: "api",
  sessionOnly: true,
  query,
  answerType: "application/octet-stream",
  successStatuses: [200],
  errors: ["NOT_FOUND"],
} as const;

export const attachmentOperations = [
  operation({
    ...shared,
    method: "get",
    path: "/v1/emails/{id}/attachment",
    name: "getEmailAttachment",
    summary: "Download an attachment of an email",
    tag: "Emails",
    params: z.object({ id: idParam("email", emailExample.id) }),
    run: async (ctx, { params: { id }, query: { position } }) =>
      download(await getEmailAttachment(ctx, id, position)),
  }),
  operation({
    ...shared,
    method: "get",
    path: "/v1/captured/{id}/attachment",
    name: "getCapturedAttachment",
    summary: "Download an attachment of a captured message",
    tag: "Captured mailbox",
    params: z.object({ id: idParam("capture", "cap_01kat4rz8sfq3v6d1mpx3k6w9j") }),
    run: async (ctx, { params: { id }, query: { position } }) =>
      download(await getCapturedAttachment(ctx, id, position)),
  }),
  operation({
    ...shared,
    method: "get",
    path: "/v1/inbound/{id}/attachment",
    name: "getInboundAttachment",
    summary: "Download an attachment of a message that came in",
    tag: "Inbound",
    params: z.object({ id: idParam("inbound", "inb_01kat4rz8sfq3v6d1mpx3k6w9j") }),
    run: async (ctx, { params: { id }, query: { position } }) =>
      download(await getInboundAttachment(ctx, id, position)),
  }),
] as const;
