import { callApi } from "./product";
import { expect, test } from "./fixtures";

const words = "550 5.1.1 <old@example.net>: User unknown";

test("an address is suppressed by hand, by a file and by a bounce, found, told why, exported and lifted", async ({
  dashboard: page,
  product,
}) => {
  await callApi(product, "POST", "/v1/send", {
    ...{ from: "hello@sandbox.test", to: "bounced@sandbox.test" },
    ...{ subject: "Hi", body: "<p>Hi</p>" },
  });
  const suppressions = `${product.url}/dashboard/${product.projectId}/suppressions`;
  await page.goto(suppressions);

  await page.getByRole("button", { name: "Suppress an address" }).first().click();
  const adding = page.getByRole("dialog", { name: "Suppress an address or a domain" });
  await adding.getByLabel("Address or domain").fill("not an address");
  await adding.getByRole("button", { name: "Suppress", exact: true }).click();
  await expect(adding.getByLabel("Address or domain")).toHaveAttribute("aria-invalid", "true");
  await adding.getByLabel("Address or domain").fill("@rival.example");
  await adding.getByRole("button", { name: "Suppress", exact: true }).click();
  const rowOf = (email: string) => page.getByRole("row").filter({ hasText: email });
  await expect(rowOf("@rival.example")).toContainText(`Added by ${product.owner}`);

  await page.getByRole("button", { name: "Import CSV" }).click();
  const importing = page.getByRole("dialog");
  const file = `email,reason,response,createdAt\nold@example.net,hard_bounce,${words},2024-02-03\nnobody,,,\n`;
  await importing.getByLabel("CSV file").setInputFiles({
    ...{ name: "list.csv", mimeType: "text/csv", buffer: Buffer.from(file) },
  });
  const result = page.getByRole("dialog", { name: "The file was imported" });
  await expect(result).toContainText("1 address is suppressed now, and 1 row could not be read.");
  await result.getByRole("button", { name: "Done" }).click();
  await expect(rowOf("old@example.net")).toContainText(words);
  await expect(rowOf("old@example.net")).toContainText(`A file, imported by ${product.owner}`);

  // What bounced says so in the server's words, and leads to the email.
  await expect
    .poll(async () => {
      await page.reload();
      return rowOf("bounced@sandbox.test").count();
    })
    .toBe(1);
  await expect(rowOf("bounced@sandbox.test")).toContainText(
    "This address simulates an unknown user.",
  );
  await rowOf("bounced@sandbox.test").getByRole("link", { name: "An email that bounced" }).click();
  await expect(page).toHaveURL(/\/emails\/em_/);
  await page.goto(suppressions);

  await page.getByLabel("Search by address").fill("anybody@rival.example");
  await expect(rowOf("old@example.net")).toHaveCount(0);
  await expect(rowOf("@rival.example")).toHaveCount(1);
  await page.goto(`${suppressions}?reason=hard_bounce`);
  await expect(rowOf("@rival.example")).toHaveCount(0);
  const download = page.waitForEvent("download");
  await page.getByRole("link", { name: "Export these" }).click();
  const chunks: Buffer[] = [];
  for await (const chunk of await (await download).createReadStream()) chunks.push(chunk as Buffer);
  const csv = Buffer.concat(chunks).toString();
  expect(csv).toContain("old@example.net,hard_bounce,import,");
  expect(csv).toContain(words);
  expect(csv).toContain("2024-02-03T00:00:00.000Z");
  expect(csv).not.toContain("rival.example");

  await page.getByRole("button", { name: "Lift old@example.net" }).click();
  const lifting = page.getByRole("dialog", { name: "Allow mail to old@example.net again?" });
  await expect(lifting).toContainText(words);
  await lifting.getByRole("button", { name: "Allow mail" }).click();
  // What lies behind an open dialog has no role: only its end shows that the server has answered.
  await expect(lifting).toBeHidden();
  await expect(rowOf("old@example.net")).toHaveCount(0);
  await page.goto(`${product.url}/dashboard/${product.projectId}/settings/audit`);
  await expect(
    page.getByText("allowed mail to old@example.net again, which had bounced"),
  ).toBeVisible();
});
