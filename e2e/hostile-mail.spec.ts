import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "./fixtures";
import { callApi } from "./product";

const asked: string[] = [];
let elsewhere: Server;
let origin = "";

test.beforeAll(async () => {
  elsewhere = createServer((request, response) => {
    asked.push(request.url ?? "");
    response.end();
  });
  await new Promise<void>((resolve) => elsewhere.listen(0, "127.0.0.1", resolve));
  origin = `http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}`;
});
test.afterAll(() => elsewhere.close());

const mailOf = (
  away: string,
) => `<!doctype html><html><head><style>.loud { color: rgb(200, 0, 0) }</style>
<meta http-equiv="refresh" content="0;url=${away}/refresh/"></head><body>
<p class="loud">Styled words</p>
<script>document.body.textContent = "A script ran"</script>
<img src="${away}/picture/x.png" onerror="document.body.textContent = 'A handler ran'">
<img src="/t/o/opened" alt="">
<a href="${away}/link/" target="_top">A link</a>
<form action="${away}/form/"><button>Submit</button></form>
<style nonce="guess">body { background: url(${away}/style/x.png) }</style>
</body></html>`;

test("a mail in the preview is styled, and can run, load, follow and submit nothing", async ({
  dashboard,
  product,
}) => {
  const { body } = await callApi<{ data: { emails: { email: string }[] } }>(
    product,
    "POST",
    "/v1/send",
    {
      from: "hello@sandbox.test",
      to: "delivered+hostile@sandbox.test",
      subject: "Hostile",
      html: mailOf(origin),
    },
  );
  const address = `${product.url}/dashboard/${product.projectId}/emails/${body.data.emails[0]?.email}`;
  await dashboard.goto(address);
  const mail = dashboard.frameLocator("iframe");
  await expect(mail.getByText("Styled words")).toHaveCSS("color", "rgb(200, 0, 0)");

  await mail.getByRole("link", { name: "A link" }).click();
  await mail.getByRole("button", { name: "Submit" }).click();
  // The mail is there before the page's scripts: nothing may be listening for the first click yet.
  const source = dashboard.getByRole("region", { name: "Source" });
  await expect(async () => {
    await dashboard.getByRole("tab", { name: "Source" }).click();
    await expect(source).toBeVisible({ timeout: 1_000 });
  }).toPass();
  await expect(source).toContainText("DKIM-Signature");
  await dashboard.getByRole("tab", { name: "Preview" }).click();
  await expect(mail.getByText("Styled words")).toBeVisible();
  await expect(mail.locator("body")).not.toContainText("ran");
  await expect(mail.locator('img[src^="/t/"]')).toHaveCount(0);
  expect(dashboard.url()).toBe(address);
  expect(dashboard.context().pages()).toHaveLength(1);
  expect(asked).toEqual([]);
  // The server that got no request does listen.
  await fetch(`${origin}/here`);
  expect(asked).toEqual(["/here"]);
});
