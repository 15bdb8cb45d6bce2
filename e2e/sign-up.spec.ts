import PostalMime from "postal-mime";
import { startMailServer } from "@/lib/testing/delivery";
import { until } from "@/lib/testing/until";
import { faults, overflow } from "./axe";
import { expect, test } from "./fixtures";
import { startProduct } from "./product";

test("by invitation, the page says whom to ask, and nothing is mailed", async ({
  page,
  product,
}) => {
  await page.goto(`${product.url}/sign-in`);
  await page.getByRole("link", { name: "No account yet?" }).click();
  await expect(page.getByRole("heading", { name: "By invitation" })).toBeVisible();
  await expect(page.getByLabel("Email")).toHaveCount(0);
  expect(await faults(page)).toEqual([]);
  const answer = await page.request.post(`${product.url}/api/auth/sign-up`, {
    data: { email: "ada@example.com" },
    headers: { origin: product.url },
  });
  expect(answer.status()).toBe(403);
});

test("where sign-up is open, an address, its link and a password make an account with a project", async ({
  page,
}) => {
  test.setTimeout(240_000);
  const server = await startMailServer();
  const product = await startProduct({ MAIL_TRANSPORT: server.url, SIGN_UP: "open" });
  try {
    await page.goto(`${product.url}/sign-up`);
    expect(await faults(page)).toEqual([]);
    await page.getByLabel("Email").fill("ada@newcomer.example");
    await page.getByRole("button", { name: "Send the link" }).click();
    await expect(page.getByRole("alert").first()).toContainText(
      "ada@newcomer.example is on its way",
    );
    await until(() => server.mails.length > 0, { what: "the mail", seconds: 20 });
    const { text = "" } = await PostalMime.parse(server.mails[0]?.raw ?? "");
    const [link = ""] = /http\S+\/sign-up\/[\w-]+/.exec(text) ?? [];
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto(link);
    expect(await faults(page)).toEqual([]);
    expect(await overflow(page)).toBe(0);
    await page.getByLabel("Name of your first project").fill("Newcomers");
    await page.getByLabel("Password", { exact: true }).fill("a sentence that nobody guesses");
    await page.getByRole("button", { name: "Make the account and sign in" }).click();
    await expect(page).toHaveURL(/\/dashboard\/prj_/);
    await page.goto(link);
    await expect(page.getByRole("heading", { name: "This link no longer works" })).toBeVisible();
  } finally {
    await product.remove();
    await server.stop();
  }
});
