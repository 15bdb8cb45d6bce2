import { chooseOption } from "./by-mouse";
import { expect, test } from "./fixtures";
import { linkIn, list, mailTo, platform } from "./mailbox";
import { callApi } from "./product";

test("a list asks to confirm with the template that was chosen for it, and its link confirms", async ({
  dashboard: page,
  product,
}) => {
  const { list_uid: listId } = await platform<{ list_uid: string }>(
    product,
    "/lists",
    list("News from the mill", { subscribe_confirmation: "1" }),
  );
  const template = (name: string, body: string) =>
    callApi(product, "POST", "/v1/templates", { name, subject: "{{ listName }}: one press", body });
  await template("Without a link", "<p>Welcome</p>");
  await template("In our words", '<p>Ours</p><a href="{{ confirmUrl }}">Yes, {{ email }}</a>');

  await page.goto(`${product.url}/dashboard/${product.projectId}/lists/${listId}/settings`);
  const choice = page.getByLabel("Confirmation email");
  const save = page.getByRole("button", { name: "Save changes" });
  await chooseOption(choice, "Without a link");
  await save.click();
  await expect(page.getByText(/people could not confirm/)).toBeVisible();
  await chooseOption(choice, "In our words");
  await save.click();
  await expect(save).toBeDisabled();
  await page.reload();
  await expect(choice).toContainText("In our words");

  const email = "ada@own-mails.example";
  await platform(product, "/subscribers", { list_uid: listId, EMAIL: email });
  const mail = await mailTo(page.request, product, email, "News from the mill: one press");
  expect(mail.html).toContain(`Yes, ${email}`);
  await page.goto(linkIn(mail, /http\S+\/confirm\/[\w-]+/));
  await page.getByRole("button", { name: "Confirm" }).click();
  await page.goto(`${product.url}/dashboard/${product.projectId}/lists/${listId}`);
  await expect(page.getByRole("row").filter({ hasText: email })).toContainText("Subscribed");
});
