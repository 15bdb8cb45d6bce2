import { z } from "zod";
import type { ConnectionKind } from "@/db/enums";
import { basedOn } from "@/lib/ground/updates/schema";
import {
  accessKeyId,
  anyRegion,
  apiKey,
  campaignStream,
  configurationSet,
  fallbackId,
  host,
  messageStream,
  messagesPerMinute,
  name,
  password,
  port,
  receiversTls,
  region,
  secretAccessKey,
  sendingDomain,
  sesRegion,
  sessions,
  standard,
  tls,
  tlsModes,
  topicArn,
  user,
  webhookSecret,
} from "./fields-schema";

const common = {
  name,
  sessions: sessions.optional().meta({ description: "Default 5." }),
  standard: standard.optional(),
  fallbackId: fallbackId.optional(),
};

/** What a connection of each kind is made of; there is a place for each of connectionKinds. */
export const connectionInputs = {
  smtp: z
    .strictObject({
      ...common,
      kind: z.literal("smtp"),
      host,
      port: port.optional().meta({ description: "Default 587." }),
      tls: tls.optional().meta({
        description:
          "Default: implicit for port 465; else required with a user name, and opportunistic without.",
      }),
      user: user.optional(),
      password: password.optional(),
    })
    .meta({ id: "SmtpConnectionInput" }),
  mx: z
    .strictObject({
      ...common,
      kind: z.literal("mx"),
      tls: receiversTls.optional().meta({ description: "Default opportunistic." }),
      sessions: sessions.optional().meta({
        description: "Sessions that each worker may have with one receiving host. Default 5.",
      }),
      messagesPerMinute: messagesPerMinute.optional(),
    })
    .meta({
      id: "MxConnectionInput",
      description: "Straight to the receivers' own servers: what they take is DELIVERED.",
    }),
  ses: z
    .strictObject({
      ...common,
      kind: z.literal("ses"),
      region: sesRegion,
      accessKeyId,
      secretAccessKey,
      configurationSet: configurationSet.optional(),
      topicArn: topicArn.optional(),
    })
    .meta({ id: "SesConnectionInput", description: "Amazon SES, over its API." }),
  resend: z
    .strictObject({
      ...common,
      kind: z.literal("resend"),
      apiKey,
      webhookSecret: webhookSecret.optional(),
    })
    .meta({ id: "ResendConnectionInput" }),
  postmark: z
    .strictObject({
      ...common,
      kind: z.literal("postmark"),
      apiKey: apiKey.meta({ description: "The server's API token." }),
      messageStream: messageStream.optional().meta({ description: "Default `outbound`." }),
      campaignStream: campaignStream.optional().meta({ description: "Default `broadcast`." }),
    })
    .meta({ id: "PostmarkConnectionInput" }),
  mailgun: z
    .strictObject({
      ...common,
      kind: z.literal("mailgun"),
      apiKey,
      region: region.optional().meta({ description: "Default us." }),
      sendingDomain,
      webhookSecret: webhookSecret.optional(),
    })
    .meta({ id: "MailgunConnectionInput" }),
  sendgrid: z
    .strictObject({
      ...common,
      kind: z.literal("sendgrid"),
      apiKey,
      webhookSecret: webhookSecret.optional(),
    })
    .meta({ id: "SendGridConnectionInput" }),
} satisfies Record<ConnectionKind, z.ZodObject>;

export const connectionInput = z
  .discriminatedUnion("kind", [
    connectionInputs.smtp,
    connectionInputs.mx,
    connectionInputs.ses,
    connectionInputs.resend,
    connectionInputs.postmark,
    connectionInputs.mailgun,
    connectionInputs.sendgrid,
  ])
  .meta({ id: "ConnectionInput" });
export type ConnectionInput = z.infer<typeof connectionInput>;
export type SmtpConnectionInput = z.infer<typeof connectionInputs.smtp>;

export const connectionUpdate = z
  .strictObject({
    name: name.optional(),
    host: host.optional(),
    port: port.optional(),
    tls: tls.optional(),
    user: user.optional(),
    password: password.optional().meta({
      description: "To be given again whenever host, port or TLS changes: it goes to no new place.",
    }),
    apiKey: apiKey.optional(),
    webhookSecret: webhookSecret.optional(),
    accessKeyId: accessKeyId.optional(),
    secretAccessKey: secretAccessKey.optional(),
    configurationSet: configurationSet.optional(),
    topicArn: topicArn.optional(),
    region: anyRegion.optional(),
    sendingDomain: sendingDomain.optional(),
    messageStream: messageStream.optional(),
    campaignStream: campaignStream.optional(),
    sessions: sessions.optional(),
    messagesPerMinute: messagesPerMinute.optional(),
    standard: standard.optional(),
    fallbackId: fallbackId.optional(),
    basedOn,
  })
  .meta({
    id: "ConnectionUpdate",
    description:
      "Only the given fields change. A field that the connection's kind does not have is refused.",
  });
export type ConnectionUpdate = z.infer<typeof connectionUpdate>;

const shown = {
  id: z.string(),
  name: z.string(),
  sessions: z.int(),
  standard: z.boolean(),
  fallbackId: z.string().nullable(),
  domains: z
    .array(z.object({ id: z.string(), name: z.string() }))
    .meta({ description: "Sending domains that name it." }),
  state: z
    .object({
      name: z.enum(["working", "throttled", "unreachable", "refused"]),
      since: z.iso.datetime().nullable(),
      words: z.string().nullable().meta({ description: "What the server says." }),
      perMinute: z
        .int()
        .nullable()
        .meta({ description: "Emails it is given while it asks for less." }),
    })
    .meta({
      description:
        "working: nothing is known to the contrary. throttled: it asked for less. unreachable: no session can be had. refused: it does not accept the login. Under the last two its mail waits, or leaves through the fallback.",
    }),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
};
const ofProvider = {
  ...shown,
  webhookUrl: z.string().nullable().meta({
    description:
      "Where the provider is to send its events: what it reports then is what deliveries, bounces and complaints are known by. null for who may not change connections.",
  }),
  hasWebhookSecret: z.boolean().meta({
    description:
      "Whether its events can be told from forged ones; they are refused until then. For `ses`: whether a topic is named or has been confirmed.",
  }),
};

const connections = {
  smtp: z
    .object({
      ...shown,
      kind: z.literal("smtp"),
      host: z.string(),
      port: z.int(),
      tls: z.enum(tlsModes),
      user: z.string().nullable(),
    })
    .meta({ id: "SmtpConnection" }),
  mx: z
    .object({ ...shown, kind: z.literal("mx"), tls: receiversTls, messagesPerMinute })
    .meta({ id: "MxConnection" }),
  ses: z
    .object({
      ...ofProvider,
      kind: z.literal("ses"),
      region: z.string(),
      accessKeyId: z.string(),
      configurationSet,
      topicArn,
    })
    .meta({ id: "SesConnection" }),
  resend: z.object({ ...ofProvider, kind: z.literal("resend") }).meta({ id: "ResendConnection" }),
  postmark: z
    .object({
      ...ofProvider,
      kind: z.literal("postmark"),
      messageStream: z.string(),
      campaignStream: z.string(),
    })
    .meta({ id: "PostmarkConnection" }),
  mailgun: z
    .object({
      ...ofProvider,
      kind: z.literal("mailgun"),
      region,
      sendingDomain: z.string(),
    })
    .meta({ id: "MailgunConnection" }),
  sendgrid: z
    .object({ ...ofProvider, kind: z.literal("sendgrid") })
    .meta({ id: "SendGridConnection" }),
} satisfies Record<ConnectionKind, z.ZodObject>;

export const connection = z
  .discriminatedUnion("kind", [
    connections.smtp,
    connections.mx,
    connections.ses,
    connections.resend,
    connections.postmark,
    connections.mailgun,
    connections.sendgrid,
  ])
  .meta({ id: "Connection" });
export type Connection = z.infer<typeof connection>;

export const connectionList = z
  .object({ data: z.array(connection) })
  .meta({ id: "ConnectionList" });
export type ConnectionList = z.infer<typeof connectionList>;

export const connectionTest = z
  .object({
    ok: z.boolean().meta({ description: "Whether it would take mail now, as far as logging in." }),
    words: z.string().meta({ description: "The server's own words, or why it said none." }),
  })
  .meta({ id: "ConnectionTest" });
export type ConnectionTest = z.infer<typeof connectionTest>;
