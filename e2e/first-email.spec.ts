import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { signInAsViewer } from "./as-viewer";
import { faults, overflow } from "./axe";
import { expect, signIn, test } from "./fixtures";
import { callApi } from "./product";
import { until } from "@/lib/testing/until";

const shell = promisify(execFile);

interface EmailList {
  data: { id: string; subject: string; status: string }[];
}

test("the printed curl line sends an email that is captured and DELIVERED within a second", async ({
  installation: product,
  page: dashboard,
}) => {
  await signIn(dashboard, product);
  const { stdout } = await shell("/bin/sh", ["-c", `${product.curl} --silent`]);
  const accepted = performance.now();
  expect(JSON.parse(stdout)).toMatchObject({ success: true });
  const [email] = (await callApi<EmailList>(product, "GET", "/v1/emails")).body.data;
  expect(email?.subject).toBe("Hello from Lettermill");
  await until(
    async () => {
      const { body } = await callApi<{ email: { status: string } }>(
        product,
        "GET",
        `/v1/emails/${email?.id}`,
      );
      return body.email.status === "DELIVERED" || null;
    },
    { what: "the email is DELIVERED" },
  );
  expect(performance.now() - accepted).toBeLessThan(1000);

  await dashboard.goto(`${product.url}/dashboard/${product.projectId}/captured`);
  await dashboard.getByText("Hello from Lettermill").first().click();
  const frame = dashboard.frameLocator("iframe").first();
  await expect(frame.getByText("It works.")).toBeVisible();

  await dashboard.goto(`${product.url}/dashboard/${product.projectId}/emails`);
  const row = dashboard.getByRole("row").filter({ hasText: "Hello from Lettermill" }).first();
  await expect(row).toContainText(/delivered/i);
  await row.getByRole("link").first().click();
  await expect(dashboard).toHaveURL(new RegExp(`/emails/${email?.id}`));
  await expect(dashboard.getByText(/delivered/i).first()).toBeVisible();
});

test("the way to the first real send serves who writes and who programs, and stays as it was left", async ({
  dashboard: page,
  product,
  browser,
}) => {
  test.setTimeout(180_000);
  const project = `${product.url}/dashboard/${product.projectId}`;
  const card = page.getByRole("region", { name: /to your first/ });
  const step = "[aria-current=step]";
  const current = card.locator(step);
  const tab = (name: string) => card.getByRole("tab", { name });
  const height = async (of: typeof card) => (await of.boundingBox())?.height ?? Infinity;
  const size = { width: 1280, height: 800 };
  const looksWell = async (what: string) => {
    expect(await height(card), what).toBeLessThan((await height(page.locator("#content"))) / 2);
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
      expect(await faults(page), `${what}, ${colorScheme}`).toEqual([]);
    }
    await page.setViewportSize({ width: 390, height: 844 });
    expect(await overflow(page), what).toBeLessThanOrEqual(0);
    await page.setViewportSize(size);
  };

  // The first start made a key for whoever comes: neither way is begun, and both are there.
  await page.setViewportSize(size);
  await page.goto(project);
  await expect(card.getByRole("heading", { level: 2 })).toHaveText("Two ways to your first email");
  await expect(card.getByRole("tab")).toHaveCount(0);
  const writing = card.getByRole("group", { name: "Send campaigns" });
  const programming = card.getByRole("group", { name: "Send from your application" });
  await expect(writing.getByRole("listitem")).toHaveCount(5);
  await expect(writing.locator(step)).toContainText("Add your people");
  await expect(programming.locator(step)).toContainText("Send your first email");
  const command = programming.getByRole("region", { name: "curl command" });
  await expect(command).toContainText("/v1/send");
  await expect(command).toBeInViewport({ ratio: 0.9 });
  expect((await writing.boundingBox())?.y).toBe((await programming.boundingBox())?.y);
  const ofBoth = await height(card);
  await looksWell("both ways");

  // Each step leads to where it is done, and what is done ticks it.
  const dialog = page.getByRole("dialog");
  await writing.getByRole("link", { name: "Import contacts" }).click();
  await expect(page).toHaveURL(`${project}/contacts/import`);
  await page.goBack();
  await writing.getByRole("link", { name: "Add a contact" }).click();
  await dialog.getByLabel("Email").fill("ada@first-steps.example");
  await dialog.getByRole("button", { name: "Add contact" }).click();
  await expect(page).toHaveURL(/\/contacts\/con_/);

  // One is begun, and the other is a press away; what was chosen stays.
  await page.goto(project);
  await expect(tab("Send campaigns")).toHaveAttribute("aria-selected", "true");
  await expect(card.getByRole("heading")).toHaveText("4 steps to your first campaign");
  await tab("Send from your application").click();
  await expect(card.getByRole("heading")).toHaveText("3 steps to your first real email");
  await expect(card).toContainText("1 of 4 done");
  await expect(current).toContainText("Send your first email");
  expect(ofBoth).toBeLessThanOrEqual(await height(card));
  await page.reload();
  await expect(tab("Send from your application")).toHaveAttribute("aria-selected", "true");
  for (const way of ["Send from your application", "Send campaigns"]) {
    await tab(way).click();
    await expect(tab(way)).toHaveAttribute("aria-selected", "true");
    await looksWell(way);
  }
  await page.goto(project);
  await expect(card).toContainText("1 of 5 done");
  await expect(current).toContainText("Verify your domain");
  await card.getByRole("link", { name: "Write a first campaign" }).click();
  await expect(page.getByRole("dialog", { name: "Create a campaign" })).toBeVisible();
  await page.goBack();
  await current.getByRole("link", { name: "Add a domain" }).click();
  await dialog.getByLabel("Domain").fill("first-steps.example");
  await dialog.getByRole("button", { name: "Add domain" }).click();
  await expect(page).toHaveURL(/\/domains\/dom_/);
  const domain = page.url();
  await page.goto(project);
  await current.getByRole("link", { name: "Check the records" }).click();
  await expect(page).toHaveURL(domain);

  const { body: campaign } = await callApi<{ id: string }>(product, "POST", "/v1/campaigns", {
    name: "First news",
    subject: "First news",
    from: "news@sandbox.test",
    body: "<p>Hello</p>",
  });
  await page.goto(project);
  await expect(card).toContainText("2 of 5 done");
  await card.getByRole("link", { name: "Send yourself a test" }).click();
  await expect(page).toHaveURL(`${project}/campaigns/${campaign.id}`);
  await callApi(product, "POST", `/v1/campaigns/${campaign.id}/test`, {
    to: "delivered+me@sandbox.test",
  });
  await page.goto(project);
  await expect(card).toContainText("3 of 5 done");
  await expect(card.getByRole("heading")).toHaveText("2 steps to your first campaign");

  await card.getByRole("button", { name: "Fold the steps away" }).click();
  await expect(card.getByRole("tab")).toHaveCount(0);
  await page.reload();
  await expect(card.getByRole("heading")).toHaveText("2 steps to your first campaign");
  await expect(card.getByRole("tab")).toHaveCount(0);
  await card.getByRole("button", { name: "Show the steps" }).click();
  await expect(current).toContainText("Verify your domain");

  const context = await browser.newContext();
  const viewer = await context.newPage();
  await signInAsViewer(viewer, product, "viewer+steps@example.com");
  const seen = viewer.getByRole("region", { name: /to your first/ });
  await expect(seen.getByRole("listitem")).toHaveCount(5);
  await expect(seen.getByRole("link", { name: "Write a first campaign" })).toHaveCount(0);
  await context.close();
});
