import { createHmac } from "node:crypto";
import { startEndpoint } from "@/lib/testing/webhooks";
import { chooseOption } from "./by-mouse";
import { expect, test } from "./fixtures";

test("a webhook made in the browser is called, signed, logged, retried and switched off", async ({
  dashboard: page,
  product,
}) => {
  let status = 500;
  const endpoint = await startEndpoint((_request, response) => {
    response.writeHead(status).end("thanks");
  });
  await page.goto(`${product.url}/dashboard/${product.projectId}/webhooks`);
  await page.getByRole("button", { name: "Add webhook" }).first().click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: "Add webhook" }).click();
  await expect(dialog.getByLabel("Address")).toHaveAttribute("aria-invalid", "true");
  await dialog.getByLabel("Address").fill(endpoint.url);
  await dialog.getByRole("checkbox", { name: "Contacts" }).click();
  await dialog.getByRole("button", { name: "Add webhook" }).click();
  const secret = await page.getByTestId("new-secret").innerText();
  expect(secret).toMatch(/^whsec_/);
  await expect(page.getByRole("region", { name: "verification code" })).toContainText(secret);
  await page.getByRole("button", { name: "I have copied it" }).click();
  await page.getByRole("link", { name: endpoint.url }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(endpoint.url);
  expect(await page.content()).not.toContain(secret);

  // A test event, and what came back.
  await page.getByRole("button", { name: "Send test event" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Send", exact: true }).click();
  await expect(page.getByRole("dialog")).toContainText("Response: HTTP 500");
  await page.getByRole("button", { name: "Close" }).first().click();

  // A real one comes by itself.
  status = 200;
  const answer = await fetch(`${product.url}/v1/contacts`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${product.apiKey}`,
      "content-type": "application/json",
    },
    body: JSON.stringify({ email: "hooked@example.com" }),
  });
  expect(answer.status).toBe(201);
  const created = () => endpoint.calls.find((call) => call.payload.type === "contact.created");
  await expect.poll(() => created()?.payload.data["email"]).toBe("hooked@example.com");
  const call = created();
  if (!call) throw new Error("There was no call.");
  const { headers, body } = call;
  const signed = `${String(headers["webhook-id"])}.${String(headers["webhook-timestamp"])}.${body}`;
  const key = Buffer.from(secret.slice("whsec_".length), "base64");
  expect(headers["webhook-signature"]).toBe(
    `v1,${createHmac("sha256", key).update(signed).digest("base64")}`,
  );
  const row = page.getByRole("row").filter({ hasText: "contact.created" });
  await expect(row).toContainText("Delivered");

  // The failed one is retried from its dialog.
  const failed = page.getByRole("row").filter({ hasText: "Failed" });
  await failed.getByRole("button").click();
  // The confirming toast is a dialog, too.
  const detail = page.getByRole("dialog", { name: /^email\./ });
  await detail.getByRole("button", { name: "Retry now" }).click();
  await expect(detail).toContainText("Response: HTTP 200");
  await detail.getByRole("button", { name: "Close" }).first().click();

  // Everything since a time of one's choice comes once more, as the same events.
  await page.getByRole("button", { name: "Deliver again" }).click();
  const again = page.getByRole("dialog", { name: "Deliver past events again?" });
  await chooseOption(again.getByRole("combobox", { name: "From" }), "A time of my choice");
  await again.getByLabel("Since").fill("");
  await again.getByRole("button", { name: "Deliver again" }).click();
  await expect(again.getByText("Enter a date and a time.")).toBeVisible();
  const days = 86_400_000;
  await again.getByLabel("Since").fill(new Date(Date.now() - 2 * days).toISOString().slice(0, 16));
  await chooseOption(again.getByRole("combobox", { name: "Deliveries" }), "Everything");
  await again.getByRole("button", { name: "Deliver again" }).dblclick();
  await expect(page.getByText("deliveries are on their way again")).toBeVisible();
  const id = headers["webhook-id"];
  const sameEvent = () => endpoint.calls.filter((other) => other.headers["webhook-id"] === id);
  await expect.poll(() => sameEvent().length).toBe(2);

  const deliver = page.getByRole("switch", { name: "Deliver events" });
  await deliver.click();
  await expect(page.getByText("Off", { exact: true })).toBeVisible();
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(page.getByText("The webhook is on")).toBeVisible();
  await expect(deliver).toBeChecked();
  await deliver.click();
  await expect(page.getByText("Off", { exact: true })).toBeVisible();
  await page.getByRole("button", { name: "Delete", exact: true }).click();
  await page.getByRole("button", { name: "Delete webhook" }).click();
  await expect(page).toHaveURL(/\/webhooks$/);
  await endpoint.stop();
});
