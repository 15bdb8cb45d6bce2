import { request, type APIRequestContext, type Page } from "@playwright/test";
import { expect, signIn } from "./fixtures";
import { linkIn, mailTo } from "./mailbox";
import { callApi, type Product } from "./product";

export const password = "a sentence that nobody guesses";

/** Another of the owner's devices: it ends all their other sessions, as somebody does who lost a laptop. */
let device: APIRequestContext | undefined;

export async function otherDevice(page: Page, product: Product): Promise<APIRequestContext> {
  if (device) return device;
  const own = { headers: { origin: product.url } };
  const data = { email: product.owner, purpose: "password_reset" };
  await page.request.post(`${product.url}/api/auth/links`, { ...own, data });
  const mail = await mailTo(page.request, product, product.owner, "");
  const token = linkIn(mail, /\/sign-in\/reset\/[\w-]+/)
    .split("/")
    .at(-1);
  const set = await page.request.post(`${product.url}/api/auth/password`, {
    ...own,
    data: { token, purpose: "password_reset", password },
  });
  expect(set.status()).toBe(200);
  device = await request.newContext({ baseURL: product.url, extraHTTPHeaders: own.headers });
  const { csrfToken } = (await (await device.get("/api/auth/csrf")).json()) as {
    csrfToken: string;
  };
  const form = { csrfToken, email: product.owner, password, json: "true" };
  await device.post("/api/auth/callback/password", { form });
  await signIn(page, product);
  return device;
}

/** Ends the page's session on the server. */
export async function endSession(page: Page, product: Product): Promise<void> {
  const other = await otherDevice(page, product);
  const ended = await other.delete(`/api/dashboard/${product.projectId}/v1/sessions`);
  expect(ended.status()).toBe(204);
}

export const asked = (page: Page) => page.getByRole("dialog", { name: "You were signed out" });
export const notice = (page: Page) =>
  page.getByText("You are signed out. What you write stays here");
export const at = (product: Product, path: string) =>
  `${product.url}/dashboard/${product.projectId}/${path}`;

/** Signs in where the page asks for it. */
export async function signInAgain(page: Page, product: Product): Promise<void> {
  const dialog = asked(page);
  await expect(dialog.getByLabel("Email")).toHaveValue(product.owner);
  await expect(dialog.getByLabel("Password")).toBeFocused();
  await page.keyboard.type(password);
  await page.keyboard.press("Enter");
  await expect(dialog).toHaveCount(0);
}

/** The tab that is looked at again. */
export const returnTo = (page: Page) =>
  page.evaluate(() => window.dispatchEvent(new Event("focus")));

/** Signs in in another tab. A program's windows all have the focus: it tells the page that it is looked at again. */
export async function comeBack(page: Page, product: Product): Promise<void> {
  const tab = await page.context().newPage();
  await signIn(tab, product);
  await tab.close();
  await returnTo(page);
}

interface Template {
  id: string;
  subject: string;
  body: string;
}
export const newTemplate = async (product: Product, name: string) =>
  (
    await callApi<Template>(product, "POST", "/v1/templates", {
      name,
      subject: "First",
      body: "<p>First</p>",
    })
  ).body;
export const template = async (product: Product, id: string) =>
  (await callApi<Template>(product, "GET", `/v1/templates/${id}`)).body;
