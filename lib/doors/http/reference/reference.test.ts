import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { curlOf } from "./curl";
import { openApiDocument } from "@/lib/doors/http/v1/openapi";
import { platformDocument } from "@/lib/doors/http/platform/openapi";
import { apiReference } from "./reference";

const groups = apiReference(openApiDocument());
const operations = groups.flatMap((group) => group.operations);
const named = (name: string) => operations.find((operation) => operation.name === name);

test("every operation of the document is there once, with a request", () => {
  const documented = Object.values(openApiDocument().paths ?? {}).flatMap((methods) =>
    Object.values(methods as Record<string, { operationId: string }>).map(
      ({ operationId }) => operationId,
    ),
  );
  expect(operations.map(({ name }) => name).sort()).toEqual(documented.sort());
  expect(operations.filter(({ requests }) => requests.length === 0)).toEqual([]);
  expect(groups.filter(({ operations: some }) => some.length === 0)).toEqual([]);
});

test("every operation has an address of its own, none that of the platform API's page", () => {
  for (const all of [groups, apiReference(platformDocument(), "token")]) {
    const names = all.flatMap((group) => group.operations.map(({ name }) => name));
    expect(new Set(names).size).toBe(names.length);
    expect(names.filter((name) => !/^[A-Za-z]+$/.test(name) || name === "platform")).toEqual([]);
  }
});

test("fields carry type, need and words, nested ones below their parent", () => {
  const body = named("upsertContacts")?.body ?? [];
  expect(body[0]).toMatchObject({ name: "contacts", type: "array of ContactInput", depth: 0 });
  expect(body[1]).toMatchObject({ name: "email", required: true, depth: 1 });
  expect(named("listContacts")?.parameters).toContainEqual(
    expect.objectContaining({ name: "subscribed", in: "query", type: '"true" | "false"' }),
  );
  expect(named("getContact")?.errors).toContainEqual({ status: "404", codes: "NOT_FOUND" });
});

test("a path's id is an example of its kind", () => {
  expect(named("getTemplate")?.requests[0]?.curl).toMatch(/\/v1\/templates\/tpl_\w{26} /);
});

test("a shell hands curl exactly the body, quotes and dollars included", () => {
  const body = { subject: "It's {{ a | default: 'x' }} $HOME `id` \\ \n!" };
  const command = curlOf({ method: "POST", url: "http://localhost/v1/send", body });
  const script = `curl() { for last; do :; done; printf %s "$last"; }; ${command}`;
  const handedOver = execFileSync("/bin/sh", ["-c", script], { encoding: "utf8" });
  expect(JSON.parse(handedOver)).toEqual(body);
});

test("the platform's requests carry the token in the query, beside what an operation needs there", () => {
  const listing = apiReference(platformDocument(), "token")
    .flatMap((group) => group.operations)
    .find(({ name }) => name === "listSubscribers")?.requests[0]?.curl;
  const script = `curl() { printf %s "$1"; }; LETTERMILL_API_TOKEN=abc; ${listing ?? ""}`;
  const url = new URL(execFileSync("/bin/sh", ["-c", script], { encoding: "utf8" }));
  expect(url.pathname).toBe("/api/v1/subscribers");
  expect(Object.fromEntries(url.searchParams)).toEqual({
    list_uid: expect.stringMatching(/^lst_/) as string,
    api_token: "abc",
  });
});
