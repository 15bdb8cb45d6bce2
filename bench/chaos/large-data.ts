import { createTemplate } from "@/lib/domain/templates/templates";
import { takeAll } from "./bad-servers";
import { sendingDomain, type Target, type Wave } from "./target";

/** As many as one request may name, and as much as their variables may be (1 MB of JSON). */
const recipients = 100;
const entries = 1_000;
const entryLength = 1_000;
const pauseMilliseconds = 2_000;

const templates: Record<string, string> = {
  "a megabyte of variables to a hundred people, shown":
    "{% for entry in list %}<p>{{ entry | escape }}</p>{% endfor %}",
  "a megabyte of variables to a hundred people, searched":
    "{{ list | join: ' ' | split: 'a' | size }} {{ list | sort | reverse | uniq | first }}",
};

/** Large variables of templates. Its mail leaves through a server of its own. */
export async function largeDataBombs(target: Target): Promise<Wave[]> {
  const domain = `data.${sendingDomain}`;
  await takeAll(target, domain);
  const key = await target.key("Large data");
  const data = {
    list: Array.from({ length: entries }, (_, n) => `${n}a`.padEnd(entryLength, "ab")),
  };
  const bombs = [];
  for (const [name, body] of Object.entries(templates)) {
    const template = await createTemplate(target.ctx, { name, subject: "Large", body });
    const request = {
      to: Array.from({ length: recipients }, (_, n) => `large${n}@example.net`),
      from: `hello@${domain}`,
      template: template.id,
      data,
    };
    const bytes = new TextEncoder().encode(JSON.stringify(request));
    bombs.push({ name, throw: () => target.ask("/v1/send", { key, body: bytes }) });
  }
  return [{ lanes: 1, pauseMilliseconds, bombs }];
}
