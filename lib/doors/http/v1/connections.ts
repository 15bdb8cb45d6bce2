import { z } from "zod";
import {
  createConnection,
  deleteConnection,
  getConnection,
  listConnections,
  updateConnection,
} from "@/lib/domain/connections/connections";
import {
  connection,
  connectionInput,
  connectionList,
  connectionTest,
  connectionUpdate,
} from "@/lib/domain/connections/schema";
import { operation } from "@/lib/doors/http/surface/operation";
import { testConnection } from "@/lib/engine/transports/test-connection";
import { idParam } from "./parameters";

const tag = "Connections";
const input = {
  name: "Our mail server",
  kind: "smtp",
  host: "smtp.example.com",
  port: 587,
  user: "lettermill",
  password: "correct horse battery staple",
  standard: true,
} satisfies z.input<typeof connectionInput>;
const mailgun = {
  name: "Mailgun",
  kind: "mailgun",
  apiKey: "key-3ax6xnjp29jd6fds4gc373sgvjxteol0",
  region: "eu",
  sendingDomain: "mg.example.com",
} satisfies z.input<typeof connectionInput>;
const ses = {
  name: "Amazon SES",
  kind: "ses",
  region: "eu-central-1",
  accessKeyId: "AKIAIOSFODNN7EXAMPLE",
  secretAccessKey: "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY",
  configurationSet: "lettermill",
} satisfies z.input<typeof connectionInput>;
const example = {
  id: "scn_01kat4rz8sfq3v6d1mpx3k6w9j",
  name: input.name,
  kind: "smtp",
  host: input.host,
  port: input.port,
  tls: "required",
  user: input.user,
  sessions: 5,
  standard: true,
  fallbackId: null,
  domains: [{ id: "dom_01kat4rz8sfq3v6d1mpx3k6w9j", name: "mail.example.com" }],
  state: { name: "working", since: null, words: null, perMinute: null },
  createdAt: "2026-11-21T09:30:00.000Z",
  updatedAt: "2026-11-21T09:30:00.000Z",
} satisfies z.input<typeof connection>;
const params = z.object({ id: idParam("connection", example.id) });

const ofOne = {
  tag,
  rate: "api",
  params,
  successStatuses: [200],
  errors: ["NOT_FOUND"],
} as const;

export const connectionOperations = [
  operation({
    method: "get",
    path: "/v1/connections",
    name: "listConnections",
    summary: "List sending connections",
    description: "All of them, by name: a project has twenty at most.",
    tag,
    access: "viewer",
    rate: "api",
    answer: connectionList,
    answerExample: { data: [example] },
    successStatuses: [200],
    run: async (ctx) => ({ status: 200, body: await listConnections(ctx) }),
  }),
  operation({
    method: "post",
    path: "/v1/connections",
    name: "createConnection",
    summary: "Add a sending connection",
    description:
      "A way out of your own for the project's mail, such as a mail server, a provider's account, or `mx`, straight to the receivers' servers: that of all its domains if it is the `standard` one, else that of domains that name it as `connectionId`. It holds for mail that is handed over from the next minute on. Under `MAIL_TRANSPORT=capture` nothing leaves, whatever the connections.",
    tag,
    access: "admin",
    rate: "api",
    body: connectionInput,
    bodyExamples: {
      smtp: { summary: "An SMTP server", value: input },
      mailgun: { summary: "Mailgun in the EU", value: mailgun },
      ses: { summary: "Amazon SES", value: ses },
    },
    answer: connection,
    answerExample: { ...example, domains: [] },
    successStatuses: [201],
    errors: ["CONFLICT"],
    run: async (ctx, { body }) => ({ status: 201, body: await createConnection(ctx, body) }),
  }),
  operation({
    ...ofOne,
    method: "get",
    path: "/v1/connections/{id}",
    name: "getConnection",
    summary: "Get a sending connection",
    access: "viewer",
    answer: connection,
    answerExample: example,
    run: async (ctx, { params: { id } }) => ({ status: 200, body: await getConnection(ctx, id) }),
  }),
  operation({
    ...ofOne,
    method: "patch",
    path: "/v1/connections/{id}",
    name: "updateConnection",
    summary: "Change a sending connection",
    description: "Only the given fields change. Mail that waits for it is tried again.",
    access: "admin",
    body: connectionUpdate,
    bodyExamples: { password: { summary: "Another password", value: { password: "another" } } },
    answer: connection,
    answerExample: example,
    errors: ["NOT_FOUND", "CONFLICT"],
    run: async (ctx, { params: { id }, body }) => ({
      status: 200,
      body: await updateConnection(ctx, id, body),
    }),
  }),
  operation({
    ...ofOne,
    method: "post",
    path: "/v1/connections/{id}/test",
    name: "testConnection",
    summary: "Test a sending connection",
    description:
      "Opens a session as mail would, as far as logging in, or shows a provider the key, and answers with the other side's own words. Nothing is sent. If the connection was held and works again, what waits for it leaves.",
    access: "admin",
    answer: connectionTest,
    answerExample: {
      ok: false,
      words: "The server refused the login with 535 5.7.8 Authentication credentials invalid",
    },
    run: async (ctx, { params: { id } }) => ({ status: 200, body: await testConnection(ctx, id) }),
  }),
  operation({
    ...ofOne,
    method: "delete",
    path: "/v1/connections/{id}",
    name: "deleteConnection",
    summary: "Delete a sending connection",
    description:
      "Refused while a domain names it. A connection that fell back to it has no fallback any more. Mail that waited for it leaves through the standard connection, else through the installation's mail server.",
    access: "admin",
    successStatuses: [204],
    errors: ["NOT_FOUND", "CONFLICT"],
    run: async (ctx, { params: { id } }) => {
      await deleteConnection(ctx, id);
      return { status: 204 };
    },
  }),
] as const;
