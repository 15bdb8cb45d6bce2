import { describe, expect, test } from "vitest";
import { useTestDatabase } from "@/db/testing";
import { mail, useSendingProject, type SendFields as Fields } from "@/lib/testing/bearer";

const database = useTestDatabase();
const sending = useSendingProject(database);
const { ask, send, expectRefused } = sending;

describe("injection", () => {
  const breaks = ["\r\nBcc: x@evil.example", "\nBcc: x@evil.example", "\rBcc: x@evil.example"];
  const inHeaders: [string, (text: string) => Fields][] = [
    ["to", (text) => ({ to: `a@example.com${text}` })],
    ["to.name", (text) => ({ to: { email: "a@example.com", name: `A${text}` } })],
    ["to.email", (text) => ({ to: { email: `a@example.com${text}` } })],
    ["to[0].name", (text) => ({ to: [{ email: "a@example.com", name: `A${text}` }] })],
    ["from", (text) => ({ from: `s@sandbox.test${text}` })],
    ["from.name", (text) => ({ from: { email: "s@sandbox.test", name: `S${text}` } })],
    ["fromName", (text) => ({ fromName: `S${text}` })],
    ["subject", (text) => ({ subject: `S${text}` })],
    ["reply", (text) => ({ reply: `a@example.com${text}` })],
    ["replyTo", (text) => ({ replyTo: `a@example.com${text}` })],
    ["headers.X-A", (text) => ({ headers: { "X-A": `a${text}` } })],
    [
      "attachments[0].filename",
      (text) => ({ attachments: [{ filename: `a${text}`, content: "YQ==" }] }),
    ],
    [
      "attachments[0].contentType",
      (text) => ({ attachments: [{ filename: "a", content: "YQ==", contentType: `a/b${text}` }] }),
    ],
    [
      "attachments[0].contentId",
      (text) => ({ attachments: [{ filename: "a", content: "YQ==", contentId: `a${text}` }] }),
    ],
  ];

  test.each(inHeaders)("CR and LF in %s are refused by name", async (path, fields) => {
    for (const text of breaks) await expectRefused(fields(text), path);
  });

  test("CR and LF in a header's name are refused", async () => {
    const { status } = await send({ headers: { "X-A: b\r\nBcc": "x@evil.example" } });
    expect(status).toBe(400);
  });

  const everywhere: [string, (text: string) => Fields][] = [
    ...inHeaders,
    ["body", (text) => ({ body: `a${text}` })],
    ["text", (text) => ({ text: `a${text}` })],
    ["data.a.b", (text) => ({ data: { a: { b: text } } })],
    ["metadata.a", (text) => ({ metadata: { a: text } })],
  ];
  test.each(everywhere)(
    "NUL and lone surrogates in %s are refused by name",
    async (path, fields) => {
      await expectRefused(fields("\0"), path);
      // JSON carries what no UTF-8 can.
      const body = JSON.stringify({ ...mail, ...fields("SURROGATE") }).replace(
        "SURROGATE",
        "\\ud800",
      );
      const answer = await ask("POST", "/v1/send", body);
      expect(answer.status).toBe(400);
      expect(answer.body.error.details[0].path).toBe(path);
    },
  );

  test.each(
    [
      ["To", "Cc", "Bcc", "From", "Sender", "Subject", "Reply-To", "Return-Path", "Received"],
      ["DKIM-Signature", "ARC-Seal", "Content-Type", "Content-Transfer-Encoding", "MIME-Version"],
      ["Message-ID", "Date", "List-Unsubscribe", "List-Unsubscribe-Post", "Resent-Bcc"],
    ]
      .flat()
      .flatMap((name) => [name, name.toLowerCase()]),
  )("the header %s is ours and refused by name", (name) =>
    expectRefused({ headers: { [name]: "x" } }, `headers.${name}`),
  );

  test("a key __proto__ is refused", async () => {
    const body = JSON.stringify({ ...mail, data: {} }).replace(
      '"data":{}',
      '"data":{"__proto__":{"x":1}}',
    );
    expect((await ask("POST", "/v1/send", body)).status).toBe(400);
  });
});

describe("limits", () => {
  const text = (length: number) => "x".repeat(length);

  test("a subject of 998 characters, not 999", async () => {
    expect((await send({ subject: text(998) })).status).toBe(200);
    await expectRefused({ subject: text(999) }, "subject");
  });

  test("a body of 5 MB, counted in bytes, and no byte more", async () => {
    const most = 5 * 1024 * 1024;
    expect((await send({ body: text(most) })).status).toBe(200);
    await expectRefused({ body: text(most + 1) }, "body");
    await expectRefused({ body: "ä".repeat(most / 2) + "x" }, "body");
    await expectRefused({ text: text(most + 1) }, "text");
  });

  test("template variables of 1 MB of JSON, counted in bytes, and no byte more", async () => {
    const most = 1024 * 1024 - JSON.stringify({ x: "" }).length;
    for (const name of ["data", "templateData"]) {
      expect((await send({ [name]: { x: text(most) } })).status).toBe(200);
      await expectRefused({ [name]: { x: text(most + 1) } }, name);
      await expectRefused({ [name]: { x: "ä".repeat(most / 2) + "xx" } }, name);
    }
    const data = { x: text(most + 1) };
    const refused = { path: "data", message: "is larger than 1 MB of JSON" };
    const batch = await ask("POST", "/v1/emails/batch", [mail, { ...mail, data }]);
    expect(batch.status).toBe(400);
    expect(batch.body.error.details).toEqual([{ ...refused, path: "emails[1].data" }]);
    const template = { name: "Letter", subject: "Hello", body: "<p>{{ x }}</p>" };
    const { body } = await ask("POST", "/v1/templates", template);
    for (const path of [`/v1/templates/${body.id}/render`, "/v1/templates/preview"]) {
      expect((await ask("POST", path, { data: { x: text(most) } })).status).toBe(200);
      const answer = await ask("POST", path, { data });
      expect(answer.status).toBe(400);
      expect(answer.body.error.details).toEqual([refused]);
    }
  });

  const attachments = (number: number, bytes: number) =>
    Array.from({ length: number }, (_, nth) => ({
      filename: `${nth}.bin`,
      content: Buffer.alloc(bytes, nth).toString("base64"),
    }));

  test("20 attachments, not 21", async () => {
    expect((await send({ attachments: attachments(20, 1) })).status).toBe(200);
    await expectRefused({ attachments: attachments(21, 1) }, "attachments");
  });

  test("25 MB of attachments in all, decoded, and no byte more: 413", async () => {
    const half = (25 * 1024 * 1024) / 2;
    expect((await send({ attachments: attachments(2, half) })).status).toBe(200);
    const { status, body } = await send({
      attachments: [...attachments(2, half), ...attachments(1, 1)],
    });
    expect({ status, code: body.error.code }).toEqual({ status: 413, code: "PAYLOAD_TOO_LARGE" });
  }, 60_000);

  test("attachments that are not Base64 are refused by name", () =>
    expectRefused({ attachments: [{ filename: "a", content: "%%%" }] }, "attachments[0].content"));

  test("a request of 40 MB, and no byte more: 413, declared or not", async () => {
    const most = 40 * 1024 * 1024;
    const padded = (length: number) => {
      const json = JSON.stringify(mail);
      return json + " ".repeat(length - json.length);
    };
    expect((await ask("POST", "/v1/send", padded(most))).status).toBe(200);
    const over = await ask("POST", "/v1/send", padded(most + 1));
    expect({ status: over.status, code: over.body.error.code }).toEqual({
      status: 413,
      code: "PAYLOAD_TOO_LARGE",
    });
    const declared = await ask("POST", "/v1/send", "{}", { "content-length": String(most + 1) });
    expect(declared.status).toBe(413);
  }, 60_000);

  test("JSON 32 levels deep, not 33", async () => {
    const nested = (levels: number): unknown => (levels === 0 ? 1 : { a: nested(levels - 1) });
    // The request itself and data are two of them.
    expect((await send({ data: nested(31) })).status).toBe(200);
    expect((await send({ data: nested(32) })).status).toBe(400);
  });

  test("50 keys of metadata, which come back; not 51", async () => {
    const metadata = (keys: number) =>
      Object.fromEntries(Array.from({ length: keys }, (_, nth) => [`k${nth}`, String(nth)]));
    const { body } = await send({ metadata: metadata(50) });
    const { body: record } = await ask("GET", `/v1/emails/${body.data.emails[0].email}`);
    expect(record.email.metadata).toEqual(metadata(50));
    await expectRefused({ metadata: metadata(51) }, "metadata");
  });

  test("a time up to 30 days ahead, not beyond, and none that is past", async () => {
    const ahead = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString();
    const { body } = await send({ scheduledAt: ahead(30 * 24 - 1) });
    const { body: record } = await ask("GET", `/v1/emails/${body.data.emails[0].email}`);
    expect(record.email).toMatchObject({ status: "PENDING", sentAt: null });
    expect(record.email.scheduledAt).not.toBeNull();
    await expectRefused({ scheduledAt: ahead(30 * 24 + 1) }, "scheduledAt");
    await expectRefused({ scheduledAt: ahead(-1) }, "scheduledAt");
    await expectRefused({ scheduledAt: "tomorrow" }, "scheduledAt");
    await expectRefused({ scheduledAt: "2026-11-21T10:00:00" }, "scheduledAt");
  });
});

test.each([
  ["nothing", ""],
  ["half a document", '{"to":'],
  ["an array", "[]"],
  ["a text", '"x"'],
  ["not UTF-8", Buffer.from(JSON.stringify(mail).replace("Hello", "H\u00e4llo"), "latin1")],
])("a body that is %s is refused with 400", async (_, sent) => {
  const { status, body } = await ask("POST", "/v1/send", sent);
  expect({ status, code: body.error.code }).toEqual({ status: 400, code: "VALIDATION_ERROR" });
});
