import { eq } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import { contacts, lists, projects } from "@/db/schema";
import { useTestDatabase } from "@/db/testing";
import { recordConsentChange, type ChangedBy } from "@/lib/domain/contacts/consent-changes";
import { getEmailContent } from "@/lib/domain/emails/content";
import { encodeId, newId, newUnownedId } from "@/lib/ground/ids/ids";
import { sendingCampaign, takeMails } from "@/lib/testing/campaign-mail";
import { useMailServers } from "@/lib/testing/mail-servers";

const database = useTestDatabase();
const { sender, mailServer, dispatch } = useMailServers(database);

type People = Parameters<typeof sendingCampaign>[2];
interface Sent {
  html: string;
  text?: string;
  /** The project's own. */
  mailReason?: string;
  people?: People;
  toList?: boolean;
}

/** Sends a campaign; resolves to what each person got, by address. */
async function send({ html, text, mailReason = "", people, toList = true }: Sent) {
  const { ctx, domain, key } = await sender();
  const { db, projectId } = ctx;
  await db.update(projects).set({ mailReason }).where(eq(projects.id, projectId));
  const listId = newId(projectId);
  await db.insert(lists).values({ id: listId, projectId, name: "Tea & <News>" });
  await sendingCampaign(
    ctx,
    { id: key.id, name: domain },
    people ?? [{ email: "ada@example.org", source: "form" }],
    { html, text: text ?? null },
    toList ? listId : null,
  );
  const server = await mailServer();
  await dispatch(server.url);
  return new Map((await takeMails(server)).map((mail) => [mail.to, mail]));
}

const news = "<html><body><p>News</p></body></html>";

describe("the reason for receiving a campaign", () => {
  it("is how the person came onto the list, in HTML and in words", async () => {
    const mails = await send({
      html: news,
      people: (["form", "added", "import", "api"] as const).map((source) => ({
        email: `${source}@example.org`,
        source,
      })),
    });
    const sentences = {
      form: "you signed up for Tea & <News>.",
      added: "Test project added you to its list Tea & <News>.",
      import: "Test project imported your address into its list Tea & <News>.",
      api: "an application of Test project put you on the list Tea & <News>.",
    };
    for (const [source, sentence] of Object.entries(sentences)) {
      const { html, text } = mails.get(`${source}@example.org`) ?? {};
      expect(text).toContain(`--\nYou are receiving this because ${sentence}\n\nUnsubscribe:`);
      expect(html).toContain(
        `<p style="margin:0 0 8px">You are receiving this because ${sentence
          .replace("&", "&amp;")
          .replace("<", "&lt;")
          .replace(">", "&gt;")}</p>`,
      );
    }
  });

  it("is, where it goes to no list, how the person last subscribed, as their history has it", async () => {
    const by = (origin: ChangedBy["origin"], more: Partial<ChangedBy> = {}) => [
      { origin, actorId: null, ...more },
    ];
    const came = {
      form: by("link", { formId: newUnownedId() }),
      confirmed: by("confirmation"),
      added: by("user"),
      import: by("import"),
      key: by("apiKey"),
      platform: by("platformToken"),
      returned: [...by("import"), ...by("link")],
      unknown: [],
    };
    const mails = await send({
      html: news,
      people: Object.entries(came).map(([name, acts]) => ({
        email: `${name}@example.org`,
        came: acts,
      })),
      toList: false,
    });
    const subscribed = "you subscribed to emails from Test project.";
    const application = "an application of Test project put you on its mailing list.";
    const sentences: Record<keyof typeof came, string> = {
      form: subscribed,
      confirmed: subscribed,
      added: "Test project added you to its mailing list.",
      import: "Test project imported your address into its mailing list.",
      key: application,
      platform: application,
      returned: subscribed,
      unknown: "you are subscribed to emails from Test project.",
    };
    for (const [name, sentence] of Object.entries(sentences)) {
      const { html, text } = mails.get(`${name}@example.org`) ?? {};
      expect(text).toContain(`--\nYou are receiving this because ${sentence}\n\n`);
      expect(html).toContain(`>You are receiving this because ${sentence}</p>`);
    }
  });

  it("stays what it was in the mail: a later change of the history does not alter it", async () => {
    const { ctx, domain, key } = await sender();
    const person = { origin: "import", actorId: null } as const;
    const { emailIds } = await sendingCampaign(
      ctx,
      { id: key.id, name: domain },
      [{ email: "ada@example.org", came: [person] }],
      { html: news },
    );
    const id = encodeId("email", emailIds[0] ?? "");
    const shown = async () => (await getEmailContent(ctx, id)).message?.text;
    const sentence = "because Test project imported your address into its mailing list.";
    expect(await shown()).toContain(sentence);
    await database.travel("1 hour");
    const [contact] = await ctx.db.select().from(contacts);
    await recordConsentChange(
      ctx.db,
      {
        ...{ projectId: ctx.projectId, contactId: contact?.id ?? "", listId: null },
        ...{ before: "unsubscribed", after: "subscribed" },
      },
      { origin: "link", actorId: null },
    );
    expect(await shown()).toContain(sentence);
  });

  it("comes in the reader's language, and says without a list that they are subscribed", async () => {
    const people = [
      { email: "de@example.org", data: { language: "de-AT" } },
      { email: "pl@example.org", data: { language: "pl" } },
    ];
    const ofList = await send({ html: news, people });
    expect(ofList.get("de@example.org")?.text).toContain(
      "Sie erhalten diese E-Mail, weil eine Anwendung von Test project Sie in die Liste Tea & <News> eingetragen hat.",
    );
    const ofAll = await send({ html: news, people, toList: false });
    expect(ofAll.get("pl@example.org")?.text).toContain(
      "Otrzymujesz tę wiadomość, ponieważ Twój adres jest wśród odbiorców nadawcy Test project.",
    );
  });

  it("is the project's own sentence where it has one, as text and never as a template", async () => {
    const mailReason = "You bought <something> {{ email }} from us.";
    const mails = await send({ html: news, mailReason });
    const { html, text } = mails.get("ada@example.org") ?? {};
    expect(text).toContain(`--\n${mailReason}\n\n`);
    expect(html).toContain(">You bought &lt;something&gt; {{ email }} from us.</p>");
    expect(html).not.toContain("You are receiving this");
  });

  it("is said once: where its author put it, by name or by hand, the footer leaves it out", async () => {
    const byName = await send({ html: "<p>Hello. {{ mailReason }}</p>" });
    const { html = "", text = "" } = byName.get("ada@example.org") ?? {};
    expect(html.match(/You are receiving this/g)).toHaveLength(1);
    expect(html).toContain("<p>Hello. You are receiving this because you signed up");
    expect(text.match(/You are receiving this/g)).toHaveLength(1);
    const byHand = await send({
      html: "<p>You have an <b>account</b> with us.</p>",
      text: "Hello.",
      mailReason: "You have an account with us.",
    });
    const own = byHand.get("ada@example.org");
    expect(own?.html.match(/account/g)).toHaveLength(1);
    expect(own?.text).toContain("Hello.\n\n--\nYou have an account with us.\n\nUnsubscribe:");
  });

  it("costs the footer one sentence: below 900 characters with everything in it", async () => {
    const mails = await send({ html: news });
    const footer = /<p>News<\/p>(.*)<\/body>/s.exec(mails.get("ada@example.org")?.html ?? "")?.[1];
    expect(footer).toContain("You are receiving this");
    expect(footer?.length).toBeLessThan(900);
  });
});
