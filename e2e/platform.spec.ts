import { bootstrap, expect, test } from "./fixtures";
import { linkIn, list, mailTo } from "./mailbox";
import { callApi, type Product } from "./product";
import { until } from "@/lib/testing/until";

interface Statistics {
  subscriber_count: number;
  unique_open_count: number;
  click_count: number;
  bounce_count: number;
  links: string[];
  last_open: string | null;
  top_open_subscribers: { email: string }[];
}

/** A client of the platform API, like a customer's application. */
function application(product: Product, token: string) {
  return async function call<Body>(
    method: string,
    path: string,
    body?: Record<string, unknown> | URLSearchParams,
  ): Promise<Body> {
    const mark = path.includes("?") ? "&" : "?";
    const response = await fetch(`${product.url}/api/v1${path}${mark}api_token=${token}`, {
      method,
      ...(body instanceof URLSearchParams
        ? { body }
        : body && {
            headers: { "content-type": "application/json" },
            body: JSON.stringify(body),
          }),
    });
    const text = await response.text();
    expect(response.status, text).toBe(200);
    expect(response.headers.get("referrer-policy")).toBe("no-referrer");
    return JSON.parse(text) as Body;
  };
}

test("a customer's application: from a list to figures, and a link into the dashboard", async ({
  dashboard: page,
  browser,
  product,
}) => {
  const token = bootstrap(product).platformToken;
  const call = application(product, token);
  const owner = page.request;

  // A list with a field of its own.
  const { list_uid: listUid } = await call<{ list_uid: string }>(
    "POST",
    "/lists",
    list("Readers", { subscribe_confirmation: "1", send_welcome_email: "1" }),
  );
  await call("POST", `/lists/${listUid}/add-field`, { type: "text", label: "City", tag: "CITY" });

  // Somebody joins, and confirms from the mail.
  const ada = await call<{ message: string; subscriber_uid: string }>(
    "POST",
    "/subscribers",
    new URLSearchParams({
      list_uid: listUid,
      EMAIL: "ada-walk@sandbox.test",
      FIRST_NAME: "Ada",
      CITY: "London",
      tag: "walk, early",
    }),
  );
  expect(ada.message).toBe("Confirmation email sent to the subscriber");
  const statusOf = async (uid: string) =>
    (await call<{ subscriber: { status: string } }>("GET", `/subscribers/${uid}`)).subscriber
      .status;
  expect(await statusOf(ada.subscriber_uid)).toBe("unconfirmed");
  const asking = await mailTo(owner, product, "ada-walk@sandbox.test", "Please confirm");
  const reader = await (await browser.newContext()).newPage();
  await reader.goto(linkIn(asking, /http\S+\/confirm\/[\w-]+/));
  expect(await statusOf(ada.subscriber_uid)).toBe("unconfirmed");
  await reader.getByRole("button", { name: "Confirm" }).click();
  await until(async () => ((await statusOf(ada.subscriber_uid)) === "subscribed" ? true : null), {
    what: "the confirmation",
  });
  await mailTo(owner, product, "ada-walk@sandbox.test", "Welcome");

  // Another is confirmed by the application itself.
  const grace = await call<{ subscriber_uid: string }>("POST", "/subscribers", {
    list_uid: listUid,
    EMAIL: "grace-walk@sandbox.test",
  });
  await call("PATCH", `/subscribers/${grace.subscriber_uid}/subscribe`);

  // A campaign made elsewhere goes to the list.
  const campaign = await callApi<{ id: string }>(product, "POST", "/v1/campaigns", {
    name: "Walk-through",
    subject: "Walking, {{ firstName | default: 'friend' }}",
    from: "news@sandbox.test",
    body: "<p>Hello {{ firstName }} in {{ CITY }}</p><p><a href='https://example.com/walk'>More</a></p>",
    listId: listUid,
  });
  expect(campaign.status, JSON.stringify(campaign.body)).toBe(201);
  const campaignUid = campaign.body.id;
  const sent = await callApi(product, "POST", `/v1/campaigns/${campaignUid}/send`, {});
  expect(sent.status).toBe(200);
  const statistics = async () =>
    (await call<{ statistics: Statistics }>("GET", `/campaigns/${campaignUid}`)).statistics;
  await until(
    async () => {
      const { campaign } = await call<{ campaign: { status: string } }>(
        "GET",
        `/campaigns/${campaignUid}`,
      );
      return campaign.status === "done" ? true : null;
    },
    { what: "the campaign's end", seconds: 30 },
  );
  expect(await statistics()).toMatchObject({ subscriber_count: 2, unique_open_count: 0 });

  // Ada opens it and clicks.
  const mail = await mailTo(owner, product, "ada-walk@sandbox.test", "Walking, Ada");
  const agent = { "user-agent": "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Firefox/140.0" };
  const [pixel = ""] = /http[^"]+\/t\/o\/[\w-]+\.gif/.exec(mail.html) ?? [];
  expect((await fetch(pixel, { headers: agent })).headers.get("content-type")).toBe("image/gif");
  const [link = ""] = /http[^"]+\/t\/c\/[\w-]+/.exec(mail.html) ?? [];
  const click = await fetch(link, { headers: agent, redirect: "manual" });
  expect(click.headers.get("location")).toBe("https://example.com/walk");
  const figures = await until(
    async () => {
      const now = await statistics();
      return now.unique_open_count === 1 && now.click_count === 1 ? now : null;
    },
    { what: "the open and the click in the figures" },
  );
  expect(figures.links).toEqual(["https://example.com/walk"]);
  expect(figures.last_open).toMatch(/\.\d{6}Z$/);
  expect(figures.top_open_subscribers).toMatchObject([{ email: "ada-walk@sandbox.test" }]);
  const openers = await call<{ uid: string }[]>("GET", `/subscribers?list_uid=${listUid}&open=yes`);
  expect(openers.map(({ uid }) => uid)).toEqual([ada.subscriber_uid]);

  // Grace's server reports a bounce by the mail's Message-ID.
  const bounced = await mailTo(owner, product, "grace-walk@sandbox.test", "Walking, friend");
  const messageId = bounced.headers.find(({ name }) => name.toLowerCase() === "message-id");
  const report = { message_id: messageId?.value, type: "bounced", bounce_type: "hard" };
  for (let nth = 0; nth < 2; nth++) await call("POST", "/notification", report);
  expect(await statusOf(grace.subscriber_uid)).toBe("bounced");
  expect((await statistics()).bounce_count).toBe(1);

  // Ada leaves the list.
  await call("PATCH", `/subscribers/${ada.subscriber_uid}/unsubscribe`);
  expect(await statusOf(ada.subscriber_uid)).toBe("unsubscribed");
  const { statistics: members } = await call<{ statistics: Record<string, number> }>(
    "GET",
    `/lists/${listUid}`,
  );
  expect(members).toMatchObject({
    subscriber_count: 2,
    unsubscribe_count: 1,
    unconfirmed_count: 0,
    open_uniq_rate: 0.5,
  });

  // Just looking at the login link does not use it up: not even in a browser that runs scripts.
  const { url } = await call<{ url: string }>("POST", "/login-token");
  for (const method of ["GET", "HEAD", "GET"]) {
    expect((await fetch(url, { method })).status).toBe(200);
  }
  const scanner = await (await browser.newContext()).newPage();
  const seen = await scanner.goto(url, { waitUntil: "networkidle" });
  expect(await seen?.headerValue("referrer-policy")).toContain("no-referrer");
  await expect(scanner.getByRole("button", { name: "Sign in" })).toBeEnabled();
  await scanner.context().close();
  const person = await (await browser.newContext()).newPage();
  await person.goto(url);
  await person.getByRole("button", { name: "Sign in" }).click();
  await person.waitForURL(`${product.url}/dashboard/${product.projectId}`);
  await person.context().close();
  await reader.context().close();

  expect(product.output()).not.toContain(token);
});

test("of fifty tries at one login link, one signs in", async ({ product }) => {
  const call = application(product, bootstrap(product).platformToken);
  const { token } = await call<{ token: string }>("POST", "/login-token");
  const csrf = await fetch(`${product.url}/api/auth/csrf`);
  const cookie = csrf.headers
    .getSetCookie()
    .map((one) => one.split(";")[0])
    .join("; ");
  const { csrfToken } = (await csrf.json()) as { csrfToken: string };
  const tries = await Promise.all(
    Array.from({ length: 50 }, async () => {
      const answer = await fetch(`${product.url}/api/auth/callback/link`, {
        method: "POST",
        headers: { cookie, origin: product.url },
        body: new URLSearchParams({ csrfToken, token, purpose: "login", json: "true" }),
        redirect: "manual",
      });
      return answer.headers.getSetCookie().some((one) => one.startsWith("lettermill.session="));
    }),
  );
  expect(tries.filter(Boolean)).toHaveLength(1);
});

test("the reference of the platform API shows each request with the token in the query", async ({
  dashboard: page,
  product,
}) => {
  const reference = `${product.url}/dashboard/${product.projectId}/api-reference`;
  await page.goto(reference);
  await page.getByRole("link", { name: "Platform API" }).click();
  await page.waitForURL(`${reference}/platform`);
  await page
    .getByRole("navigation", { name: "Contents" })
    .getByText("List the subscribers")
    .click();
  await page.waitForURL(`${reference}/platform/listSubscribers`);
  const example = page.getByRole("region", { name: /^curl: List the subscribers/ });
  await expect(example).toContainText("/api/v1/subscribers?list_uid=lst_");
  await expect(example).toContainText("&api_token=$LETTERMILL_API_TOKEN");
  await expect(page.getByLabel("Your API key")).toHaveCount(0);
});
