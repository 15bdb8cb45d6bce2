import { and, eq } from "drizzle-orm";
import PostalMime from "postal-mime";
import { expect, test } from "vitest";
import { capturedEmails, domains, lists } from "@/db/schema";
import { useTestDatabase } from "@/db/testing";
import { projectUpdate } from "@/lib/domain/projects/schema";
import { updateProjectSettings } from "@/lib/domain/projects/settings";
import { decodeId, newId } from "@/lib/ground/ids/ids";
import { validate } from "@/lib/ground/validate";
import { listLanguages, textsFor } from "@/lib/ground/texts/texts";
import { sendingCampaign } from "@/lib/testing/campaign-mail";
import { englishForeignTo } from "@/lib/testing/foreign-words";
import { formVisitors, linkIn } from "@/lib/testing/forms";
import { campaignMail, join, makeList } from "@/lib/testing/opt-outs";
import { createTrackingApp } from "./app";

const database = useTestDatabase();
const visitors = formVisitors(createTrackingApp(), database);

/** Names that are words of no language. */
const [project, news] = ["Zzyx", "Qqvist"];
const email = "ada@example.com";
const sources = ["form", "added", "import", "api"] as const;
const codes = listLanguages().map(({ code }) => code);

type World = Awaited<ReturnType<typeof visitors.setUp>>;

/** Whose mails are caught under the domain that every project has. */
async function sendCampaigns({ ctx, projectId }: World) {
  const [domain] = await database.db
    .select({ id: domains.id, name: domains.name })
    .from(domains)
    .where(and(eq(domains.projectId, projectId), eq(domains.builtIn, true)));
  if (!domain) throw new Error("The project has no domain.");
  const listId = newId(projectId);
  await database.db.insert(lists).values({ id: listId, projectId, name: news });
  const people = sources.map((source) => ({ email: `${source}@example.com`, source }));
  const mail = { html: "<html><body><p>Zz</p></body></html>", text: "Zz" };
  await sendingCampaign(ctx, domain, people, mail, listId);
  await sendingCampaign(ctx, domain, [{ email: "all@example.com" }], mail);
}

/** Makes the product write each mail that it writes to recipients by itself. */
async function causeAll(world: World) {
  const { ctx, projectId, fill, mails } = world;
  await fill({ email: "form-first@example.com" });
  const asked = await mails();
  await visitors.confirm(linkIn(asked[0]?.text ?? ""));

  const switches = { subscribeConfirmation: true, sendWelcomeEmail: true };
  const list = await makeList(ctx, { name: news, unsubscribeNotification: true, ...switches });
  const member = await join(ctx, list.id, email);
  const captured = (await mails()).map(({ text }) => text).join("\n");
  const [confirm = ""] =
    /\/confirm\/[\w-]+(?!.*\/f\/)/.exec(captured.replaceAll(/\/f\/confirm\/\S+/g, "")) ?? [];
  expect((await visitors.post(`/t${confirm}`, {})).status).toBe(303);

  const mail = await campaignMail(database.db, ctx, { ...member, email, listId: list.id });
  const post = `/t/preferences/${mail.token}`;
  const wanted = [{ action: "address", email: "new@example.com" }, { action: "download" }];
  for (const fields of [...wanted, { action: "erase" }, { action: "leave", list: list.id }]) {
    expect((await visitors.post(post, fields as Record<string, string>)).status).toBe(303);
  }
  const [moved] = await database.db
    .select({ raw: capturedEmails.raw })
    .from(capturedEmails)
    .where(
      and(
        eq(capturedEmails.projectId, projectId),
        eq(capturedEmails.envelopeTo, "new@example.com"),
      ),
    );
  const [request = ""] =
    /\/request\/[\w-]+/.exec((await PostalMime.parse(moved?.raw ?? "")).text ?? "") ?? [];
  await visitors.post(`/t${request}`, { action: "confirm" });
  await sendCampaigns(world);
  await mails();
}

/** What each of them has a subject of, in the texts. */
const kinds = [
  ...(["confirmation", "welcome", "departure"] as const),
  ...(["address", "download", "erase", "moved"] as const),
];
const hasButton = (kind: (typeof kinds)[number]) => kind !== "welcome" && kind !== "departure";

test.each(codes)(
  "each mail of the product's own is in %s from its subject to its foot",
  async (code) => {
    const world = await visitors.setUp({ list: true });
    const { ctx, mails } = world;
    await updateProjectSettings(ctx, { language: code, name: project });
    await database.db
      .update(lists)
      .set({ name: news })
      .where(eq(lists.id, decodeId("list", world.list?.id ?? "") ?? ""));
    await causeAll(world);

    const caught = await mails();
    const { text, dir } = textsFor(code);
    const values = { list: news, email };
    for (const kind of kinds) {
      const subject = text(`mail.${kind}.subject`, values);
      expect(
        caught.map((mail) => mail.subject),
        kind,
      ).toContain(subject);
    }
    for (const source of [...sources, "contact"] as const) {
      const reason = text(`footer.reason.${source}`, { list: news, project });
      const address = `${source === "contact" ? "all" : source}@example.com`;
      expect(caught.find(({ to }) => to === address)?.text, address).toContain(reason);
    }

    const english = englishForeignTo(code === "en" ? "de" : code);
    const faults: string[] = [];
    for (const { raw, to } of caught) {
      const { subject = "", text: words = "", html = "" } = await PostalMime.parse(raw);
      const all = [subject, words, html.replaceAll(/<[^>]*>/g, " ")]
        .join("\n")
        .replaceAll(/\s+/g, " ");
      const slips = english.filter((piece) => all.includes(piece));
      // Each of them would be found out.
      if (code === "en") expect(slips, `${to}: ${subject}`).not.toEqual([]);
      else faults.push(...slips.map((piece) => `${to}, ${subject}: ${piece}`));
      expect(html).toContain(`dir="${dir}"`);
    }
    expect(faults).toEqual([]);
  },
);

test("each mail of the product's own has the colours and the logo of the project's brand", async () => {
  const world = await visitors.setUp({ list: true });
  const brand = validate(projectUpdate, {
    brand: {
      theme: { accent: "#7a1fa2", background: "#e8f0ee" },
      logo: { src: "https://example.com/logo.png", alt: "Zzyx", width: 120 },
    },
  });
  await updateProjectSettings(world.ctx, brand);
  await causeAll(world);
  const caught = await world.mails();
  const { text } = textsFor("en");
  for (const kind of kinds) {
    const subject = text(`mail.${kind}.subject`, { list: news, email });
    const mail = caught.find((each) => each.subject === subject);
    const { html = "" } = await PostalMime.parse(mail?.raw ?? "");
    const [logo = ""] = /<img [^>]*logo\.png[^>]*>/.exec(html) ?? [];
    expect(logo, kind).toContain('src="https://example.com/logo.png"');
    // A telephone is narrower than a logo may be.
    expect(logo, kind).toContain("max-width:100%");
    expect(html, kind).toContain("background-color:#e8f0ee");
    // Those without a button have the logo where the sender's name would be coloured.
    if (hasButton(kind)) expect(html, kind).toContain("#7a1fa2");
    expect(html, kind).not.toMatch(/#c4351a|#f7f2e7|#b52f15/);
  }
});
