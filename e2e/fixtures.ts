import { execFileSync } from "node:child_process";
import { readFile } from "node:fs/promises";
import { basename } from "node:path";
import { test as base, expect, type BrowserContext, type Page } from "@playwright/test";
import { root, startProduct, type Product } from "./product";

export { expect };

type Session = Awaited<ReturnType<BrowserContext["storageState"]>>;

/** A project of the running product with an owner of its own. */
interface Tenant {
  product: Product;
  /** Cookies of the owner, once signed in. */
  session?: Session;
}

interface Shared {
  /** One running product per worker, with the capture transport, as its first start left it. */
  installation: Product;
  /** By spec file. */
  tenants: Map<string, Tenant>;
  /** Id of the build that the tests use. */
  buildId: string;
}

interface Own {
  /**
   * A new project with its own owner in the worker's product: no spec finds another's leftovers.
   */
  product: Product;
  tenant: Tenant;
  /** A page that is signed in to it. */
  dashboard: Page;
}

export const test = base.extend<Own, Shared>({
  buildId: [
    async ({}, use) => {
      await use((await readFile(`${root}/.next/BUILD_ID`, "utf8")).trim());
    },
    { scope: "worker" },
  ],
  installation: [
    async ({}, use) => {
      const product = await startProduct();
      await use(product);
      await product.remove();
    },
    { scope: "worker", timeout: 180_000 },
  ],
  tenants: [async ({}, use) => use(new Map()), { scope: "worker" }],
  tenant: async ({ installation, tenants }, use, { file }) => {
    let tenant = tenants.get(file);
    if (!tenant) {
      const owner = `owner+${basename(file, ".spec.ts")}@example.com`;
      const { projectId, apiKey, loginUrl } = bootstrap(installation, owner);
      tenant = { product: { ...installation, owner, projectId, apiKey, loginUrl } };
      tenants.set(file, tenant);
    }
    await use(tenant);
  },
  context: async ({ context }, use) => {
    context.on("page", waitForScripts);
    await use(context);
  },
  product: async ({ tenant }, use) => use(tenant.product),
  dashboard: async ({ page, tenant }, use) => {
    const { product, session } = tenant;
    await page.context().addCookies(session?.cookies ?? []);
    // A test that changed the password has signed the owner out everywhere.
    const answer = await page.request.get(`${product.url}/dashboard`);
    if (!answer.url().includes("/dashboard/prj_")) {
      // Its first link is as good as a new one, for which a process would have to start.
      await signIn(page, product, session ? undefined : product.loginUrl);
      tenant.session = await page.context().storageState();
    }
    await use(page);
  },
});

/**
 * Lets a page of the dashboard be used once its scripts have taken it over: a program clicks faster than a
 * person, and a click before that does nothing. React marks each element that it has taken over.
 */
function waitForScripts(page: Page): void {
  const settled = async () => {
    if (!new URL(page.url()).pathname.startsWith("/dashboard")) return;
    await page.waitForFunction(
      () => {
        const buttons = [...document.querySelectorAll("main button")];
        return buttons.every((button) =>
          Object.keys(button).some((key) => key.startsWith("__reactProps$")),
        );
      },
      null,
      { polling: 50 },
    );
  };
  const [goto, reload] = [page.goto.bind(page), page.reload.bind(page)];
  page.goto = async (...args) => {
    const response = await goto(...args);
    // Who does not wait for the page acts before its scripts run.
    if (args[1]?.waitUntil !== "commit") await settled();
    return response;
  };
  page.reload = async (...args) => {
    const response = await reload(...args);
    await settled();
    return response;
  };
}

interface Bootstrap {
  projectId: string;
  /** New each time. */
  apiKey: string;
  loginUrl: string;
  platformToken: string;
}

/** What the command line prints for an operator: the owner's project, a key, a one-time link and the platform token. */
export function bootstrap(product: Product, email = product.owner): Bootstrap {
  const text = execFileSync(
    process.execPath,
    ["--import", "tsx", "bin/lettermill.ts", "bootstrap", "--email", email, "--json"],
    { cwd: root, encoding: "utf8", env: { ...process.env, DATA_DIR: product.dataDir } },
  );
  return JSON.parse(text) as Bootstrap;
}

export const newLoginUrl = (product: Product, email?: string) => bootstrap(product, email).loginUrl;

/** Signs the owner in with a one-time link, a new one where none is given. */
export async function signIn(
  page: Page,
  product: Product,
  link = newLoginUrl(product),
): Promise<void> {
  await page.goto(link);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.waitForURL(/\/dashboard\/prj_/);
}
