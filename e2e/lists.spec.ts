import { chooseOption } from "./by-mouse";
import { expect, test } from "./fixtures";
import { callPlatform, showPlatformToken } from "./platform-token";

test("a list is made, gets a field and people, is left, changed and deleted", async ({
  dashboard: page,
  product,
}) => {
  await page.goto(`${product.url}/dashboard/${product.projectId}/lists`);
  await page.getByRole("link", { name: "Create list" }).first().click();
  await page.getByRole("button", { name: "Create list" }).click();
  await expect(page.getByText("This is required.").first()).toBeVisible();
  await page.getByLabel("Name", { exact: true }).fill("The weekly letter");
  // What is written beside each other stands at one height, also where only one has a hint.
  const top = async (name: string) => (await page.getByLabel(name).boundingBox())?.y;
  expect(await top("Sender name")).toBe(await top("Sender address"));
  await page.getByLabel("Sender address").fill("letter@sandbox.test");
  await page.getByLabel("Company or person").fill("Acme Printing");
  await chooseOption(page.getByLabel("Country"), "Germany");
  await page.getByRole("switch", { name: "Ask for confirmation" }).click();
  await page.getByRole("button", { name: "Create list" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("The weekly letter");
  await expect(page.getByText("Nobody is on this list yet")).toBeVisible();

  await page.getByRole("link", { name: "Settings and fields" }).click();
  await expect(page.getByLabel("Country")).toContainText("Germany");
  await page.getByRole("button", { name: "Add field" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Label").fill("Favourite colour");
  await expect(dialog.getByLabel("Tag")).toHaveValue("FAVOURITE_COLOUR");
  await chooseOption(dialog.getByLabel("Type"), "One of several");
  await dialog.getByLabel("Choices").fill("red\nblue");
  await dialog.getByRole("textbox", { name: "Default" }).fill("green");
  await dialog.getByRole("button", { name: "Add field" }).click();
  await expect(dialog.getByText("This is not one of red, blue.")).toBeVisible();
  await dialog.getByRole("textbox", { name: "Default" }).fill("red");
  await dialog.getByRole("button", { name: "Add field" }).click();
  await expect(page.getByRole("row").filter({ hasText: "FAVOURITE_COLOUR" })).toContainText(
    "default: red",
  );

  await page.getByRole("link", { name: "Subscribers" }).click();
  // The button is on both pages: not the one on the page being left.
  await expect(page.getByText("Nobody is on this list yet")).toBeVisible();
  await page.getByRole("button", { name: "Add subscriber" }).first().click();
  await dialog.getByLabel("Email").fill("ada@lists.example");
  await dialog.getByLabel("First name").fill("Ada");
  await chooseOption(dialog.getByLabel("Favourite colour"), "blue");
  await dialog.getByRole("button", { name: "Add subscriber" }).click();
  const row = page.getByRole("row").filter({ hasText: "ada@lists.example" });
  await expect(row).toContainText("Subscribed");

  await row.getByRole("button", { name: "Actions for ada@lists.example" }).click();
  await page.getByRole("menuitem", { name: "Edit" }).click();
  await expect(dialog.getByLabel("Favourite colour")).toContainText("blue");
  await dialog.getByLabel("Last name").fill("Lovelace");
  await dialog.getByRole("button", { name: "Save changes" }).click();
  await expect(row).toContainText("Ada Lovelace");

  await row.getByRole("button", { name: "Actions for ada@lists.example" }).click();
  await page.getByRole("menuitem", { name: "Unsubscribe" }).click();
  await expect(row).toContainText("Unsubscribed");

  await page.getByRole("button", { name: "Delete", exact: true }).click();
  const question = page.getByRole("dialog", { name: "Delete “The weekly letter”?" });
  await expect(question).toContainText("This removes 1 membership");
  await question.getByRole("button", { name: "Delete list" }).click();
  await expect(page).toHaveURL(/\/lists$/);
  await expect(page.getByText("The weekly letter", { exact: true })).toHaveCount(0);
});

test("a list made through the platform API is the dashboard's, and the other way round", async ({
  dashboard: page,
  product,
}) => {
  const token = await showPlatformToken(page, product);
  const created = await callPlatform<{ list_uid: string }>(product, token, "POST", "/lists", {
    name: "From a program",
    from_email: "letter@sandbox.test",
    from_name: "Ada",
    default_subject: "News",
    contact: { company: "Acme", country_id: "840" },
    subscribe_confirmation: "0",
    send_welcome_email: "0",
    unsubscribe_notification: "0",
  });
  await callPlatform(product, token, "POST", "/subscribers", {
    list_uid: created.list_uid,
    EMAIL: "grace@lists.example",
  });
  await page.goto(`${product.url}/dashboard/${product.projectId}/lists`);
  await page.getByRole("link", { name: "From a program" }).click();
  await expect(page.getByRole("row").filter({ hasText: "grace@lists.example" })).toContainText(
    "Subscribed",
  );
  await page.getByRole("link", { name: "Settings and fields" }).click();
  await expect(page.getByLabel("Country")).toContainText("United States");
  await page.getByLabel("Name", { exact: true }).fill("From a person");
  await page.getByRole("button", { name: "Save changes" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("From a person");
  const all = await callPlatform<{ uid: string; name: string }[]>(product, token, "GET", "/lists");
  expect(all.find(({ uid }) => uid === created.list_uid)?.name).toBe("From a person");
});

test("a sender at a domain that is not verified is refused where it is written, and one from a program is pointed out", async ({
  dashboard: page,
  product,
}) => {
  const lists = `${product.url}/dashboard/${product.projectId}/lists`;
  await page.goto(`${lists}/new`);
  await page.getByLabel("Name", { exact: true }).fill("From nowhere");
  const sender = page.getByLabel("Sender address");
  await sender.fill("news@nowhere.example");
  await page.getByLabel("Name", { exact: true }).press("Enter");
  await expect(
    page.getByText(/nowhere\.example, which is not a domain of this project/),
  ).toBeVisible();
  await expect(sender).toHaveAttribute("aria-invalid", "true");

  // What was typed is unsaved: the browser asks before it leaves.
  page.once("dialog", (dialog) => void dialog.accept());
  const token = await showPlatformToken(page, product);
  const { list_uid: uid } = await callPlatform<{ list_uid: string }>(
    product,
    token,
    "POST",
    "/lists",
    { name: "By a program", from_email: "news@nowhere.example", from_name: "News" },
  );
  await page.goto(`${lists}/${uid}/settings`);
  await expect(page.getByText("The domain of news@nowhere.example is not verified")).toBeVisible();
});
