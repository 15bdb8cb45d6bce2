import { execFile } from "node:child_process";
import { promisify } from "node:util";
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
