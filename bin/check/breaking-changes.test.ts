import { describe, expect, test } from "vitest";
import { breakingChanges, type Document } from "./breaking-changes";

const document = (): Document => ({
  paths: {
    "/v1/send": {
      post: {
        parameters: [{ name: "cursor", in: "query", schema: { type: "string" } }],
        requestBody: {
          required: true,
          content: { "application/json": { schema: { $ref: "#/components/schemas/Send" } } },
        },
        responses: {
          "200": {
            content: {
              "application/json": {
                schema: {
                  type: "object",
                  properties: { id: { type: "string" }, at: { type: "string" } },
                  required: ["id"],
                },
              },
            },
          },
        },
      },
    },
  },
  components: {
    schemas: {
      Send: {
        type: "object",
        properties: {
          to: { type: ["string", "object"] },
          mode: { type: "string", enum: ["live", "test"] },
          subject: { type: "string", maxLength: 998 },
        },
        required: ["to"],
      },
    },
  },
});

const send = (doc: Document) => doc.components?.schemas?.["Send"] ?? {};
const operation = (doc: Document) => doc.paths?.["/v1/send"]?.["post"] ?? {};
const answer = (doc: Document) =>
  operation(doc).responses?.["200"]?.content?.["application/json"]?.schema ?? {};

describe("a change that a client trips over is named", () => {
  const cases: [string, (doc: Document) => void][] = [
    ["POST /v1/send is gone", (doc) => delete doc.paths?.["/v1/send"]],
    ["body.mode has become required", (doc) => send(doc).required?.push("mode")],
    ["body.subject is gone", (doc) => delete send(doc).properties?.["subject"]],
    ["no longer takes test", (doc) => send(doc).properties?.["mode"]?.enum?.pop()],
    [
      "lower maxLength: 10",
      (doc) => Object.assign(send(doc).properties?.["subject"] ?? {}, { maxLength: 10 }),
    ],
    [
      "is string instead of",
      (doc) => Object.assign(send(doc).properties?.["to"] ?? {}, { type: "string" }),
    ],
    ["200.id may be absent", (doc) => answer(doc).required?.pop()],
    ["200.at is gone", (doc) => delete answer(doc).properties?.["at"]],
    ["no longer answers 200", (doc) => Object.assign(operation(doc), { responses: { "201": {} } })],
    ["query cursor is gone", (doc) => Object.assign(operation(doc), { parameters: [] })],
    [
      "query token has become required",
      (doc) => operation(doc).parameters?.push({ name: "token", in: "query", required: true }),
    ],
  ];
  test.each(cases)("%s", (sentence, change) => {
    const after = document();
    change(after);
    expect(breakingChanges(document(), after).join("\n")).toContain(sentence);
  });
});

test("additions break nobody", () => {
  const after = document();
  Object.assign(send(after).properties ?? {}, { tags: { type: "array" } });
  Object.assign(answer(after).properties ?? {}, { status: { type: "string" } });
  operation(after).parameters?.push({ name: "limit", in: "query" });
  Object.assign(after.paths ?? {}, { "/v1/new": { get: {} } });
  expect(breakingChanges(document(), after)).toEqual([]);
});
