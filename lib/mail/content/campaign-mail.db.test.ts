import { eq } from "drizzle-orm";
import { dkimVerify } from "mailauth/lib/dkim/verify";
import { describe, expect, it } from "vitest";
import { domains, lists, projects } from "@/db/schema";
import { useTestDatabase } from "@/db/testing";
import { readUnsubscribeAddress } from "@/lib/mail/return-path";
import { readRecipientToken } from "@/lib/mail/tracking/tokens";
import { hrefs, sendingCampaign, takeMails } from "@/lib/testing/campaign-mail";
import { useMailServers } from "@/lib/testing/mail-servers";
import { newId } from "@/lib/ground/ids/ids";

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

describe("a campaign's mail", () => {
  it("has the one-click headers under a DKIM signature that holds", async () => {
    const { ctx, domain, key } = await sender();
    const take = await handedOver();
    const { emailIds } = await sendingCampaign(
      ctx,
      { id: key.id, name: domain },
      [{ email: "ada@example.org" }],
      {
        html: "<p>News</p>",
      },
    );
    const [mail] = await take();
    if (!mail) throw new Error("There is no mail.");
    expect(mail.headers.get("list-unsubscribe-post")).toBe("List-Unsubscribe=One-Click");
    const way = /^<http:\/\/localhost:3000\/t\/u\/([\w-]+)>$/.exec(
      mail.headers.get("list-unsubscribe") ?? "",
    );
    expect(readRecipientToken(way?.[1] ?? "")).toBe(emailIds[0]);
    expect(mail.headers.has("list-id")).toBe(false);
    const { results } = await dkimVerify(mail.raw, {
      resolver: () => Promise.resolve([[`v=DKIM1; k=rsa; p=${key.dkimPublicKey}`]]),
    });
    expect(results).toMatchObject([{ status: { result: "pass", aligned: domain } }]);
    const signature = /^DKIM-Signature:.*?\r\n(?![ \t])/s.exec(mail.raw.toString())?.[0];
    const signed = /[\s;]h=([^;]*);/
      .exec(signature ?? "")?.[1]
      ?.replace(/\s/g, "")
      .split(":");
    // Once for what is there, once more so that nobody can add another.
    for (const name of ["list-unsubscribe", "list-unsubscribe-post"]) {
      expect(signed?.filter((one) => one === name)).toHaveLength(2);
    }
  });

  it("offers a mailto beside the one click where mail to the return path comes here", async () => {
    const { ctx, domain, key } = await sender();
    await database.db
      .update(domains)
      .set({ checks: { RETURN_PATH: { ok: true, found: [] } } })
      .where(eq(domains.id, key.id));
    const take = await handedOver();
    const { emailIds } = await sendingCampaign(
      ctx,
      { id: key.id, name: domain },
      [{ email: "ada@example.org" }],
      { html: "<p>News</p>" },
    );
    const [mail] = await take();
    const ways =
      /^<http:\/\/localhost:3000\/t\/u\/[\w-]+>, <mailto:(\S+)\?subject=unsubscribe>$/.exec(
        mail?.headers.get("list-unsubscribe") ?? "",
      );
    expect(ways?.[1]).toMatch(new RegExp(`@bounces\\.${domain}$`));
    expect(readUnsubscribeAddress(ways?.[1] ?? "")).toBe(emailIds[0]);
  });

  it("gets the ways out and the postal address at its end, in HTML and in words", async () => {
    const { ctx, domain, key } = await sender();
    await database.db
      .update(projects)
      .set({ postalAddress: "Acme & Sons\n1 Main St" })
      .where(eq(projects.id, ctx.projectId));
    const take = await handedOver();
    const { emailIds } = await sendingCampaign(
      ctx,
      { id: key.id, name: domain },
      [{ email: "ada@example.org" }],
      {
        html: "<html><body><p>News</p></body></html>",
        previewText: "For {{ email }} & <you>",
      },
    );
    const [mail] = await take();
    const out = hrefs(mail?.html ?? "").map((href) =>
      /\/preferences\/([\w-]+)(\?unsubscribe)?$/.exec(href),
    );
    expect(out.map((match) => [readRecipientToken(match?.[1] ?? ""), match?.[2]])).toEqual([
      [emailIds[0], "?unsubscribe"],
      [emailIds[0], undefined],
    ]);
    expect(mail?.html).toMatch(
      /^<html><body><div style="display:none[^>]*>For ada@example\.org &amp; &lt;you&gt;.*<p>News<\/p>.*Acme &amp; Sons<br>1 Main St.*<\/body><\/html>\n?$/s,
    );
    expect(mail?.text).toMatch(
      /^News\s+--\nYou are receiving this because you are subscribed to emails from Test project\.\n\nUnsubscribe: http:\S+\?unsubscribe\nManage preferences: http:\S+\n\nAcme & Sons\n1 Main St\s*$/,
    );
  });

  it("is left alone where its author wrote the reason, the ways out and the address", async () => {
    const { ctx, domain, key } = await sender();
    await database.db
      .update(projects)
      .set({ postalAddress: "Acme & Sons\n1 Main St" })
      .where(eq(projects.id, ctx.projectId));
    const take = await handedOver();
    const html = `<p>{{ mailReason }} Acme &amp; Sons, 1 Main St. <a href="{{ unsubscribeUrl }}">Leave</a> <a href='{{viewUrl}}'>View</a></p>`;
    await sendingCampaign(ctx, { id: key.id, name: domain }, [{ email: "ada@example.org" }], {
      html,
      trackOpens: false,
    });
    const [mail] = await take();
    expect(mail?.html.trim()).toMatch(
      /^<p>You are receiving this because you are subscribed to emails from Test project\. Acme &amp; Sons, 1 Main St\. <a href="http:\/\/localhost:3000\/preferences\/[\w-]+\?unsubscribe">Leave<\/a> <a href='http:\/\/localhost:3000\/view\/[\w-]+'>View<\/a><\/p>$/,
    );
    expect(mail?.text).not.toMatch(/^--$/m);
  });

  it("gets a way out too when the one its author wrote is hidden in a comment", async () => {
    const { ctx, domain, key } = await sender();
    const take = await handedOver();
    await sendingCampaign(ctx, { id: key.id, name: domain }, [{ email: "ada@example.org" }], {
      html: `<p>News</p><!-- <a href="{{ unsubscribeUrl }}">Leave</a> -->`,
    });
    const [mail] = await take();
    expect(mail?.html).toContain(">Unsubscribe</a>");
    expect(mail?.text).toContain("Unsubscribe: http");
  });

  it("to a list shows the subscriber's fields by tag, the list's address and its id", async () => {
    const { ctx, domain, key } = await sender();
    const [list] = await database.db
      .insert(lists)
      .values({
        id: newId(ctx.projectId),
        projectId: ctx.projectId,
        name: "Weekly news",
        contact: { company: "Acme", address_1: "1 Main St", city: "Paris", country_id: "FR" },
      })
      .returning();
    const take = await handedOver();
    await sendingCampaign(
      ctx,
      { id: key.id, name: domain },
      [
        {
          email: "ada@example.org",
          firstName: "Ada",
          data: { CITY: "no", unsubscribeUrl: "https://evil.example" },
        },
      ],
      {
        subject: "News for {{ FIRST_NAME }} in {{ CITY }}",
        html: "<p>{{ EMAIL }} {{ FIRST_NAME }} {{ CITY }} {{ NONE }}| {{ unsubscribeUrl }}</p>",
      },
      list?.id,
    );
    const [mail] = await take();
    expect(mail?.headers.get("subject")).toBe("News for Ada in ada@example.org <city>");
    expect(mail?.html).toContain(
      "<p>ada@example.org Ada ada@example.org &lt;city&gt; | http://localhost",
    );
    expect(mail?.html).toContain("Acme<br>1 Main St<br>Paris<br>France");
    expect(mail?.headers.get("list-id")).toMatch(
      new RegExp(`^Weekly news <lst-[0-9a-z]{26}\\.${domain}>$`),
    );
  });
});
