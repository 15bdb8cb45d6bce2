import { eq } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { messages } from "@/db/schema";
import { useTestDatabase } from "@/db/testing";
import { createTemplate, updateTemplate } from "@/lib/domain/templates/templates";
import type { Context } from "@/lib/ground/context";
import { decodeId } from "@/lib/ground/ids/ids";
import { makeProject } from "@/lib/testing";
import { advance, seedContacts, storedCampaign } from "@/lib/testing/campaigns";
import { createCampaign } from "./campaigns";
import { getCampaignMails } from "./sent-mails";
import { sendCampaign } from "./transitions";

const database = useTestDatabase();
let ctx: Context;

beforeEach(async () => {
  ({ ctx } = await makeProject(database.db));
  await seedContacts(database.db, ctx.projectId, 4);
});

async function testedTemplate() {
  const template = await createTemplate(ctx, {
    name: "Letter",
    subject: "Letter",
    body: "<p>As it was {{ firstName }}</p>",
  });
  const campaign = await createCampaign(ctx, {
    name: "News",
    subject: "Alpha",
    previewText: "Look inside",
    from: { email: "news@sandbox.test", name: "Example" },
    templateId: template.id,
    abTest: {
      variants: [
        { subject: "Alpha" },
        { subject: "Beta", fromName: "Ada", previewText: "Read on", body: "<p>Its own</p>" },
      ],
    },
  });
  return { template, campaign };
}

const alpha = {
  subject: "Alpha",
  previewText: "Look inside",
  fromName: "Example",
  html: "<p>As it was {{ firstName }}</p>",
};
const beta = { subject: "Beta", previewText: "Read on", fromName: "Ada", html: "<p>Its own</p>" };

test("each variant's mail is what went out, whatever became of the template since", async () => {
  const { template, campaign } = await testedTemplate();
  await sendCampaign(ctx, campaign.id, {});
  await advance(database.db);
  await updateTemplate(ctx, template.id, { body: "<p>As it is now</p>" });
  expect(await getCampaignMails(ctx, campaign.id)).toMatchObject([alpha, beta]);

  // What the project keeps no longer is told by what the campaign says.
  const id = decodeId("campaign", campaign.id) ?? "";
  expect(await storedCampaign(database.db, id)).toMatchObject({ recipients: 4 });
  await database.db.delete(messages).where(eq(messages.campaignId, id));
  expect(await getCampaignMails(ctx, campaign.id)).toMatchObject([
    { ...alpha, html: "<p>As it is now</p>" },
    beta,
  ]);
});

test("before it goes out it is what the campaign would say now, and another project's is none", async () => {
  const { template, campaign } = await testedTemplate();
  await updateTemplate(ctx, template.id, { body: "<p>As it is now</p>" });
  expect(await getCampaignMails(ctx, campaign.id)).toMatchObject([
    { ...alpha, html: "<p>As it is now</p>" },
    beta,
  ]);
  const other = await makeProject(database.db);
  await expect(getCampaignMails(other.ctx, campaign.id)).rejects.toMatchObject({
    code: "NOT_FOUND",
  });
});
