import type { Page } from "@playwright/test";
import { expect } from "./fixtures";
import type { Product } from "./product";

/** The signed-in person's platform token, as the dashboard shows it. */
export async function showPlatformToken(page: Page, product: Product): Promise<string> {
  await page.goto(`${product.url}/dashboard/${product.projectId}/api-keys`);
  await page.getByRole("button", { name: "Show", exact: true }).click();
  const token = page.getByTestId("platform-token");
  await expect(token).toHaveText(/^[0-9A-Za-z]{60}$/);
  return token.innerText();
}

/** Calls the platform API; fails unless the answer is a success. */
export async function callPlatform<Answer>(
  product: Product,
  token: string,
  method: string,
  path: string,
  body?: unknown,
): Promise<Answer> {
  const answer = await fetch(`${product.url}/api/v1${path}?api_token=${token}`, {
    method,
    ...(body === undefined
      ? {}
      : { body: JSON.stringify(body), headers: { "content-type": "application/json" } }),
  });
  expect(answer.status).toBe(200);
  return (await answer.json()) as Answer;
}
