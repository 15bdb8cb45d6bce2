import {
  Client,
  StreamableHTTPClientTransport,
  UnauthorizedError,
  type OAuthClientProvider,
} from "@modelcontextprotocol/client";
import type { Page } from "@playwright/test";
import { until } from "@/lib/testing/until";
import { expect, signIn } from "./fixtures";
import { callApi, type Product } from "./product";
import { test } from "./real-mail";
import { publish, type PublishedRecord } from "./records";

const callback = "https://assistant.example/callback";

/** What a hosted assistant keeps about one connection. */
class Connection implements OAuthClientProvider {
  readonly redirectUrl = callback;
  readonly clientMetadata = { redirect_uris: [callback], client_name: "Travelling assistant" };
  readonly #kept: { client?: unknown; tokens?: unknown; verifier?: string } = {};
  authorizationUrl = "";
  clientInformation = () => this.#kept.client as never;
  saveClientInformation = (client: unknown) => void (this.#kept.client = client);
  tokens = () => this.#kept.tokens as never;
  saveTokens = (tokens: unknown) => void (this.#kept.tokens = tokens);
  redirectToAuthorization = (url: URL) => void (this.authorizationUrl = url.href);
  saveCodeVerifier = (verifier: string) => void (this.#kept.verifier = verifier);
  codeVerifier = () => this.#kept.verifier ?? "";
}

/** Connects with the address alone: the person's part is done in the browser. */
async function connect(page: Page, product: Product): Promise<Client> {
  const authProvider = new Connection();
  const address = new URL("/mcp", product.url);
  const transport = () => new StreamableHTTPClientTransport(address, { authProvider });
  const first = transport();
  const refused = await new Client({ name: "e2e", version: "1" })
    .connect(first)
    .catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(UnauthorizedError);
  await page.route(`${callback}**`, (route) => route.fulfill({ body: "Back at the assistant." }));
  await page.goto(authProvider.authorizationUrl);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Connect Travelling assistant?");
  await page.getByRole("button", { name: "Allow and return" }).click();
  await page.waitForURL(`${callback}**`);
  await first.finishAuth(new URL(page.url()).searchParams);
  const client = new Client({ name: "e2e", version: "1" });
  await client.connect(transport());
  return client;
}

type Result = Record<string, unknown>;

test("from a domain to a campaign's figures by tools alone, after a person's consent", async ({
  page,
  sender,
  dns,
  mailServer,
}) => {
  // The tools choose among segments; somebody made this one earlier.
  const { status, body: segment } = await callApi<{ id: string }>(sender, "POST", "/v1/segments", {
    name: "Readers",
    filter: { and: [{ field: "tags", op: "contains", value: "reader" }] },
  });
  expect(status).toBe(201);
  await signIn(page, sender);
  const dashboard = page.url();
  const client = await connect(page, sender);
  const call = async <Answer = Result>(name: string, given: object = {}): Promise<Answer> => {
    const result = await client.callTool({ name, arguments: { ...given } });
    expect(result.isError, JSON.stringify(result.content)).toBeFalsy();
    return result.structuredContent as Answer;
  };

  const domain = await call<{ id: string; records: PublishedRecord[] }>("add_domain", {
    name: "letters.example.com",
  });
  publish(dns, domain.records);
  const verified = await call<{ status: string }>("verify_domain", { id: domain.id });
  expect(verified.status).toBe("VERIFIED");

  const template = await call<{ id: string }>("create_template", {
    name: "Letter",
    subject: "A letter for {{ firstName }}",
    body: "<p>Dear {{ firstName }}, it is autumn.</p>",
  });
  for (const [name, tags] of [
    ["Ada", ["reader"]],
    ["Grace", ["reader"]],
    ["Edsger", []],
  ] as const) {
    const email = `${name.toLowerCase()}@example.net`;
    await call("create_contact", { email, firstName: name, subscribed: true, tags });
  }
  const segments = await call<{ data: { id: string; name: string }[] }>("list_segments");
  expect(segments.data).toMatchObject([{ id: segment.id, name: "Readers" }]);
  const { id } = await call<{ id: string }>("create_campaign", {
    name: "Autumn",
    subject: "A letter for {{ firstName }}",
    templateId: template.id,
    from: "Mill <news@letters.example.com>",
    segmentId: segment.id,
  });
  await call("send_campaign", { id });
  const mails = await until(
    () => {
      const arrived = mailServer.mails.filter(({ raw }) => raw.includes("A letter for"));
      return arrived.length === 2 ? arrived : null;
    },
    { what: "the campaign's mail arrives" },
  );
  const figures = { recipients: 2, sent: 2, bounced: 0 };
  await expect(async () => {
    const campaign = await call<Result>("get_campaign_stats", { id });
    expect(campaign).toMatchObject({ status: "SENT", stats: figures });
  }).toPass({ intervals: [500], timeout: 30_000 });
  expect(mails.flatMap(({ to }) => to).sort()).toEqual(["ada@example.net", "grace@example.net"]);

  const report = await client.readResource({ uri: `lettermill://campaigns/${id}/report` });
  expect(JSON.stringify(report.contents)).toContain("delivered");

  // What it did is in the log under its name, and it goes when told to.
  await page.goto(`${dashboard}/settings/audit`);
  await expect(
    page.getByText(/The assistant Travelling assistant for owner@example\.com sent/),
  ).toBeVisible();
  await page.goto(`${dashboard}/assistants`);
  await page.getByRole("button", { name: "Disconnect Travelling assistant" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Disconnect" }).click();
  await expect(page.getByText("No assistant is connected yet.")).toBeVisible();
  await expect(client.callTool({ name: "list_domains" })).rejects.toThrow();
});

test("consent is not given in a frame, nor to another address than the program's own", async ({
  page,
  sender,
}) => {
  await signIn(page, sender);
  const registered = await fetch(`${sender.url}/oauth/register`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ redirect_uris: [callback], client_name: "A" }),
  });
  const { client_id } = (await registered.json()) as { client_id: string };
  const ask = (redirect_uri: string, method = "S256") =>
    `${sender.url}/oauth/authorize?${new URLSearchParams({
      ...{ response_type: "code", client_id, redirect_uri, state: "x" },
      ...{ code_challenge: "x".repeat(43), code_challenge_method: method },
    }).toString()}`;
  const answer = await page.goto(ask(callback));
  expect(answer?.headers()["content-security-policy"]).toContain("frame-ancestors 'none'");
  expect(answer?.headers()["x-frame-options"]).toBe("DENY");
  await expect(page.getByRole("button", { name: "Cancel" })).toBeVisible();
  await page.goto(ask("https://evil.example/callback"));
  await expect(page.getByText("not one that the program registered")).toBeVisible();
  await expect(page.getByRole("link")).toHaveCount(0);
  // Anybody may register an address: nothing leads there unless somebody presses.
  await page.goto(ask(callback, "plain"));
  await expect(page.getByRole("link", { name: "Return to assistant.example" })).toBeVisible();
});
