import { expect, type APIRequestContext } from "@playwright/test";
import { bootstrap } from "./fixtures";
import { type Product } from "./product";
import { until } from "@/lib/testing/until";

/** A captured message as the dashboard gets it. */
export interface Captured {
  id: string;
  subject: string;
  html: string;
  text: string;
  headers: { name: string; value: string }[];
}

/** A POST to the platform API as the owner. */
export async function platform<Body>(product: Product, path: string, body: unknown): Promise<Body> {
  const { platformToken } = bootstrap(product);
  const response = await fetch(`${product.url}/api/v1${path}?api_token=${platformToken}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  expect(response.status, await response.clone().text()).toBe(200);
  return (await response.json()) as Body;
}

/** The newest captured mail to an address whose subject begins like this, once it is there. */
export function mailTo(
  owner: APIRequestContext,
  product: Product,
  address: string,
  subject: string,
): Promise<Captured> {
  const base = `${product.url}/api/dashboard/${product.projectId}/v1/captured`;
  return until(
    async () => {
      const answer = await owner.get(`${base}?search=${encodeURIComponent(address)}`);
      const { data } = (await answer.json()) as { data: Captured[] };
      const mail = data.find((mail) => mail.subject.startsWith(subject));
      return mail && ((await (await owner.get(`${base}/${mail.id}`)).json()) as Captured);
    },
    { what: `a mail "${subject}" to ${address}` },
  );
}

export function linkIn(mail: Captured, part: RegExp): string {
  const [link] = part.exec(mail.text) ?? [];
  if (!link) throw new Error(`The mail has no such link: ${mail.text}`);
  return link;
}

/** A mailing list as the platform API takes it. */
export const list = (name: string, switches: Record<string, string> = {}) => ({
  name,
  from_email: "news@sandbox.test",
  from_name: "Acme",
  default_subject: "",
  contact: { company: "Acme Ltd", address_1: "1 Main Street", city: "Berlin", country_id: "DE" },
  subscribe_confirmation: "0",
  send_welcome_email: "0",
  unsubscribe_notification: "0",
  ...switches,
});
