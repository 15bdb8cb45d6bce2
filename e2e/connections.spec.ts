import type { Page } from "@playwright/test";
import type { SMTPServerOptions } from "smtp-server";
import { freePort } from "@/db/embedded/free-port";
import { smtpError, startMailServer } from "@/lib/testing/delivery";
import { until } from "@/lib/testing/until";
import { chooseOption } from "./by-mouse";
import { expect, signIn } from "./fixtures";
import { callApi } from "./product";
import { test } from "./real-mail";
import { publish, type PublishedRecord } from "./records";

interface DomainAnswer {
  id: string;
  status: string;
  records: PublishedRecord[];
}

interface Server {
  name: string;
  port: number;
  user?: string;
  password?: string;
  fallback?: string;
}

/** Adds a server on this machine in the dialog. */
async function add(page: Page, { name, port, user, password, fallback }: Server): Promise<void> {
  await page.getByRole("button", { name: "Add a connection" }).click();
  const dialog = page.getByRole("dialog", { name: "Add a connection" });
  await dialog.getByLabel("Name", { exact: true }).fill(name);
  await dialog.getByLabel("Host").fill("127.0.0.1");
  await dialog.getByLabel("Port").fill(String(port));
  await chooseOption(dialog.getByRole("combobox", { name: "Encryption" }), "STARTTLS if offered");
  if (user) await dialog.getByLabel("User name").fill(user);
  if (password) await dialog.getByLabel("Password").fill(password);
  if (fallback) {
    await chooseOption(dialog.getByRole("combobox", { name: "Fallback" }), fallback);
  }
  const standard = dialog.getByRole("checkbox", { name: "Standard connection" });
  if (await standard.isChecked()) await standard.click();
  await dialog.getByRole("button", { name: "Add connection" }).click();
  await expect(dialog).toBeHidden();
}

test("mail servers are added, tested, chosen for a domain, followed through trouble and deleted", async ({
  page,
  sender,
  dns,
  mailServer,
}) => {
  test.setTimeout(180_000);
  let busy = false;
  const second = await startMailServer();
  const firstPort = await freePort();
  const options: SMTPServerOptions = {
    authOptional: false,
    allowInsecureAuth: true,
    onAuth: ({ password }, _session, callback) =>
      password === "right"
        ? callback(null, { user: "mail" })
        : callback(smtpError(535, "5.7.8 No such password here")),
    onMailFrom: (_address, _session, callback) =>
      callback(busy ? smtpError(451, "4.7.0 Too much mail today") : null),
  };
  let first = await startMailServer(options, firstPort);
  const { body: domain } = await callApi<DomainAnswer>(sender, "POST", "/v1/domains", {
    name: "servers.example.com",
  });
  publish(dns, domain.records);
  await callApi(sender, "POST", `/v1/domains/${domain.id}/verify`);
  let sent = 0;
  const send = async (count: number) => {
    const to = Array.from({ length: count }, () => `person${sent++}@example.net`);
    const { status } = await callApi(sender, "POST", "/v1/send", {
      ...{ from: "shop@servers.example.com", to, subject: "Hello", body: "<p>Hello</p>" },
    });
    expect(status).toBe(200);
  };
  const row = (name: string) =>
    page.getByRole("listitem").filter({ has: page.getByRole("heading", { name }) });

  try {
    await signIn(page, sender);
    const overview = page.url();
    const connections = `${overview}/settings/connections`;
    await page.goto(connections);
    await expect(page.getByRole("heading", { name: "No connections yet" })).toBeVisible();
    await add(page, { name: "Second", port: second.port });
    await add(page, {
      ...{ name: "First", port: firstPort, user: "mail", password: "wrong", fallback: "Second" },
    });

    // The server's own words, wrong and right.
    await page.getByRole("button", { name: "Test First" }).click();
    await expect(page.getByText("First takes no mail")).toBeVisible();
    await expect(page.getByText("5.7.8 No such password here").first()).toBeVisible();
    await page.getByRole("button", { name: "Edit First" }).click();
    const dialog = page.getByRole("dialog", { name: "Edit First" });
    await expect(dialog.getByLabel("Password")).toHaveValue("");
    await dialog.getByLabel("Password").fill("right");
    await dialog.getByRole("button", { name: "Save" }).click();
    await expect(dialog).toBeHidden();
    await page.getByRole("button", { name: "Test First" }).click();
    await expect(page.getByText("First takes mail")).toBeVisible();

    // Chosen for a domain.
    await page.goto(`${overview}/domains/${domain.id}`);
    await chooseOption(page.getByRole("combobox", { name: "Sending connection" }), "First");
    await expect(page.getByText("Sending connection changed")).toBeVisible();
    await page.goto(connections);
    await expect(row("First").getByRole("link", { name: "servers.example.com" })).toBeVisible();
    await expect(row("First")).toContainText("then Second");
    await send(3);
    await until(() => first.mails.length === 3 || null, { what: "mail at the first", seconds: 30 });

    // The first server asks for less: the second one takes over.
    busy = true;
    await send(40);
    await expect(row("First")).toContainText("Asked for less mail", { timeout: 40_000 });
    await expect(row("First")).toContainText("4.7.0 Too much mail today");
    await expect(row("First")).toContainText(/It is given about [\d,]+ emails? a minute/);
    await until(() => second.mails.length >= 25 || null, { what: "the fallback", seconds: 30 });

    // Away.
    await first.stop();
    const before = second.mails.length;
    await send(20);
    await expect(row("First")).toContainText("Not reachable", { timeout: 40_000 });
    await expect(row("First")).toContainText(
      "Its mail leaves through the fallback until it answers.",
    );
    await until(() => second.mails.length >= before + 20 || null, {
      ...{ what: "all of it at the second", seconds: 30 },
    });
    await page.getByRole("button", { name: "Test First" }).click();
    await expect(page.getByText(/ECONNREFUSED/).first()).toBeVisible();

    // Back up, as the test finds out.
    busy = false;
    first = await startMailServer(options, firstPort);
    await page.getByRole("button", { name: "Test First" }).click();
    await expect(page.getByText("First takes mail")).toBeVisible();
    await expect(row("First")).not.toContainText("Not reachable", { timeout: 20_000 });

    // Not possible while a domain sends through it.
    const remove = async (name: string) => {
      await page.getByRole("button", { name: `Delete ${name}` }).click();
      const asking = page.getByRole("dialog", { name: `Delete “${name}”?` });
      await asking.getByRole("button", { name: "Delete connection" }).click();
      return asking;
    };
    await page.getByRole("button", { name: "Delete First" }).click();
    const refused = page.getByRole("dialog", { name: "“First” is still in use" });
    await expect(refused).toContainText("servers.example.com sends through it.");
    await expect(refused.getByRole("button", { name: "Delete connection" })).toHaveCount(0);
    await page.goto(`${overview}/domains/${domain.id}`);
    await chooseOption(
      page.getByRole("combobox", { name: "Sending connection" }),
      "The installation’s mail server",
    );
    await expect(page.getByText("Sending connection changed")).toBeVisible();
    await page.goto(connections);
    await expect(await remove("First")).toBeHidden();
    await expect(row("First")).toHaveCount(0);
    await expect(await remove("Second")).toBeHidden();
    await expect(page.getByRole("heading", { name: "No connections yet" })).toBeVisible();
    const left = mailServer.mails.length;
    await send(1);
    await until(() => mailServer.mails.length > left || null, {
      ...{ what: "mail through the installation's server", seconds: 30 },
    });
    expect(first.mails).toHaveLength(0);
  } finally {
    await first.stop();
    await second.stop();
  }
});
