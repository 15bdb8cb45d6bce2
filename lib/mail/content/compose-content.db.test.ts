import { eq, sql } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import { domains, links } from "@/db/schema";
import { useTestDatabase } from "@/db/testing";
import { newUnownedId } from "@/lib/ground/ids/ids";
import { makeProject } from "@/lib/testing";
import { readPixelToken } from "@/lib/mail/tracking/tokens";
import { send, verifiedDomain } from "@/lib/testing/delivery";
import { clickOf, hrefs, sendingCampaign, takeMails, urlsOf } from "@/lib/testing/campaign-mail";
import { useMailServers } from "@/lib/testing/mail-servers";

const database = useTestDatabase();
const { sender, mailServer, dispatch } = useMailServers(database);

/** Hands over what is due; resolves to the mails that arrived. */
async function handedOver() {
  const server = await mailServer();
  return async () => {
    await dispatch(server.url);
    return takeMails(server);
  };
}

describe("tracking", () => {
  it("registers a link once per message, and one that is made per person for each of them", async () => {
    const { ctx, domain, key } = await sender();
    const take = await handedOver();
    const people = Array.from({ length: 30 }, (_, index) => ({ email: `p${index}@example.org` }));
    const { messageId } = await sendingCampaign(ctx, { id: key.id, name: domain }, people, {
      html: `<a href="https://shop.example/?a=1&amp;b=2">1</a><a href="https://shop.example/?a=1&amp;b=2">2</a>
        <a href="https://shop.example/{{ email | url_encode }}">3</a><a href="mailto:x@example.org">4</a>`,
    });
    const mails = await take();
    expect(mails).toHaveLength(30);
    expect(await urlsOf(database.db, messageId)).toEqual(
      [
        "https://shop.example/?a=1&b=2",
        ...people.map(({ email }) => `https://shop.example/${encodeURIComponent(email)}`),
      ].toSorted(),
    );
    const byId = new Map(
      (await database.db.select().from(links)).map((link) => [link.id, link.url]),
    );
    for (const { to, html } of mails) {
      const [first, second, own] = hrefs(html).map(clickOf);
      expect(byId.get(first?.linkId ?? 0n)).toBe("https://shop.example/?a=1&b=2");
      expect(second).toEqual(first);
      expect(byId.get(own?.linkId ?? 0n)).toBe(`https://shop.example/${encodeURIComponent(to)}`);
      expect(html).toContain('href="mailto:x@example.org"');
    }
  });

  it("keeps a link that Postgres cannot store from holding up other mail", async () => {
    const take = await handedOver();
    for (const code of ["%00", "1"]) {
      const { ctx, domain, key } = await sender();
      await sendingCampaign(ctx, { id: key.id, name: domain }, [{ email: "ada@example.org" }], {
        html: `<a href="https://shop.example/a{{ '${code}' | url_decode }}b">1</a>`,
      });
    }
    const mails = await take();
    expect(mails).toHaveLength(2);
    expect(mails.every(({ html }) => hrefs(html).some((href) => href.includes("/t/c/")))).toBe(
      true,
    );
  });

  it("makes the same bytes again when an email is sent again, by another process too", async () => {
    const { ctx, domain, key } = await sender();
    const take = await handedOver();
    await sendingCampaign(ctx, { id: key.id, name: domain }, [{ email: "ada@example.org" }], {
      html: `<a href="https://shop.example/{{ email }}">1</a><a href="https://shop.example/">2</a>`,
      previewText: "Hello",
      utm: { source: "news" },
    });
    const [first] = await take();
    const date = /^Date: (.+)$/m.exec(first?.raw.toString() ?? "")?.[1]?.trim();
    await database.db.execute(
      sql`with again as (
        update emails set status = 'PENDING' where project_id = ${ctx.projectId} returning *
      ) insert into email_queue (email_id, project_id, campaign_id, due_at, begun_at)
        select id, project_id, campaign_id, app_now(), ${date}::timestamptz from again`,
    );
    const [again] = await take();
    expect(again?.raw.equals(first?.raw ?? Buffer.alloc(0))).toBe(true);
  });

  it("adds UTM parameters to what a link leads to, tracked or not", async () => {
    const { ctx, domain, key } = await sender();
    const take = await handedOver();
    const { messageId } = await sendingCampaign(
      ctx,
      { id: key.id, name: domain },
      [{ email: "ada@example.org" }],
      {
        html: `<a href="https://shop.example/?x=1&amp;utm_source=own">1</a><a data-no-track href=https://shop.example/#top>2</a>`,
        utm: { source: "news", campaign: "a&b" },
      },
    );
    const [mail] = await take();
    expect(await urlsOf(database.db, messageId)).toEqual([
      "https://shop.example/?x=1&utm_source=own&utm_campaign=a%26b",
    ]);
    expect(mail?.html).toContain(
      'href="https://shop.example/?utm_source=news&amp;utm_campaign=a%26b#top"',
    );
  });

  it("follows the request, else the domain, for other mail's HTML, and never touches the text", async () => {
    const { ctx, domain, key } = await sender();
    const take = await handedOver();
    const body = '<p><a href="https://shop.example/">Shop</a></p>';
    const mailWith = async (tracking?: { opens?: boolean; clicks?: boolean }) => {
      await send(ctx, { from: `shop@${domain}`, body, ...(tracking ? { tracking } : {}) });
      const [mail] = await take();
      return mail;
    };
    const isOpen = (html = "") =>
      readPixelToken(/src="http:\/\/localhost:3000\/t\/o\/([\w-]+)\.gif"/.exec(html)?.[1] ?? "") !==
      null;
    const isClick = (html = "") => clickOf(hrefs(html)[0]) !== null;
    const both = await mailWith();
    expect([isOpen(both?.html), isClick(both?.html)]).toEqual([true, true]);
    expect(both?.text).toContain("https://shop.example/");
    expect(both?.text).not.toContain("/t/");
    expect(both?.html).not.toContain("Unsubscribe");
    expect(both?.headers.has("list-unsubscribe")).toBe(false);
    const neither = await mailWith({ opens: false, clicks: false });
    expect(neither?.html.trim()).toBe(body);
    await database.db
      .update(domains)
      .set({ trackOpens: false, trackClicks: false })
      .where(eq(domains.id, key.id));
    expect((await mailWith())?.html.trim()).toBe(body);
    const clicks = await mailWith({ clicks: true });
    expect([isOpen(clicks?.html), isClick(clicks?.html)]).toEqual([false, true]);
  });

  it("keeps the links of two projects' messages apart", async () => {
    const [senderProject, otherProject] = [await sender(), await makeProject(database.db)];
    const othersDomain = await verifiedDomain(
      database.db,
      otherProject.projectId,
      `o${newUnownedId()}.example`,
    );
    const take = await handedOver();
    const html = '<a href="https://same.example/">x</a>';
    const [name] = await database.db.select().from(domains).where(eq(domains.id, othersDomain.id));
    await sendingCampaign(
      senderProject.ctx,
      { id: senderProject.key.id, name: senderProject.domain },
      [{ email: "a@example.org" }],
      {
        html,
      },
    );
    await sendingCampaign(
      { ...otherProject.ctx, db: database.db },
      { id: othersDomain.id, name: name?.name ?? "" },
      [{ email: "b@example.org" }],
      { html },
    );
    const ids = (await take()).map(({ html: sent }) => clickOf(hrefs(sent)[0])?.linkId);
    expect(new Set(ids).size).toBe(2);
  });
});
