import { availableParallelism } from "node:os";
import { eq } from "drizzle-orm";
import type { Database } from "@/db/client";
import { projects } from "@/db/schema";
import { createCampaign } from "@/lib/domain/campaigns/campaigns";
import { createList } from "@/lib/domain/lists/lists";
import { bootstrap } from "@/lib/domain/projects/bootstrap";
import { createSegment } from "@/lib/domain/segments/segments";
import { createTemplate } from "@/lib/domain/templates/templates";
import { createWebhook } from "@/lib/domain/webhooks/webhooks";
import { systemContext, type Context } from "@/lib/ground/context";
import { env } from "@/lib/ground/env/env";
import { decodeId } from "@/lib/ground/ids/ids";
import { campaignPieces, transactionalPieces } from "./content";
import { figureTasks, seedOptOuts, seedSuppressions, seedTimelines } from "./consequences";
import { seedCampaign, seedTransactional } from "./mail";
import { monthsOfHistory, seedContacts, seedMembers } from "./people";
import { Fault } from "@/bin/start/fault";

/** What to make; `project` must not exist yet. */
export interface SeedOptions {
  project: string;
  contacts: number;
  emails: number;
}

const lists = [
  {
    name: "Newsletter",
    share: 70,
    remindMessage: "You signed up in our shop or at tea.example.com.",
  },
  { name: "Club members", share: 30, remindMessage: "You are a member of the tea club." },
  { name: "Tastings in Bristol", share: 12, subscribeConfirmation: true },
] as const;

const segments = [
  { name: "Regulars", filter: { and: [{ field: "data.orders", op: "gt", value: 10 }] } },
  {
    name: "Club in Berlin",
    filter: {
      and: [
        { field: "data.plan", op: "eq", value: "club" },
        { field: "data.city", op: "eq", value: "Berlin" },
      ],
    },
  },
  {
    name: "Drinks green tea",
    filter: { and: [{ field: "tags", op: "contains", value: "green" }] },
  },
  {
    name: "Ordered this year",
    filter: {
      and: [{ field: "data.lastOrderAt", op: "gt", value: `${new Date().getUTCFullYear()}-01-01` }],
    },
  },
] as const;

/** Resources that people create by hand, made with the verbs that their clicks would call. */
async function seedResources(ctx: Context): Promise<void> {
  for (const [salt, { share, ...input }] of lists.entries()) {
    const list = await createList(ctx, {
      ...input,
      fromEmail: "hello@sandbox.test",
      fromName: "Northwind Tea",
      contact: {
        company: "Northwind Tea",
        address_1: "12 Harbour Street",
        city: "Bristol",
        zip: "BS1 4QA",
        country_id: "GB",
      },
    });
    await seedMembers(ctx, { uuid: decodeId("list", list.id) ?? "", share, salt: 20 + salt });
  }
  for (const { name, filter } of segments)
    await createSegment(ctx, { name, filter: structuredClone(filter) as never });
  for (const { name, subject, html } of [...transactionalPieces, ...campaignPieces.slice(0, 2)]) {
    await createTemplate(ctx, { name, subject, body: html });
  }
  await createWebhook(ctx, {
    url: "https://tea.example.com/hooks/mail",
    events: ["email.bounced", "email.complained", "contact.unsubscribed"],
    enabled: false,
  });
  const [draft] = campaignPieces;
  if (draft) {
    await createCampaign(ctx, {
      name: "New year, new leaves",
      subject: "What we will drink next year",
      from: { email: "hello@sandbox.test", name: "Northwind Tea" },
      body: draft.html,
    });
  }
}

/** Runs tasks in order, as many at a time as the machine has cores: Postgres does the work. */
async function together(tasks: (() => Promise<void>)[]): Promise<void> {
  const left = tasks.values();
  const worker = async () => {
    for (const task of left) await task();
  };
  await Promise.all(Array.from({ length: availableParallelism() }, worker));
}

/** Fills a new project with people and mail of the last eighteen months. Throws a Fault where it exists. */
export async function seedProject(
  db: Database,
  { project, contacts, emails }: SeedOptions,
  progress: (text: string) => void = () => {},
) {
  const [existing] = await db
    .select({ id: projects.id })
    .from(projects)
    .where(eq(projects.name, project));
  if (existing) {
    throw new Fault(`There is a project ${project} already: name another one with --project.`);
  }
  const began = performance.now();
  const access = await bootstrap(db, { email: env().OWNER_EMAIL, projectName: project });
  const ctx = systemContext(db, decodeId("project", access.projectId) ?? "");
  progress(`${contacts} contacts`);
  const parts = 4;
  await together(
    Array.from({ length: parts }, (_, part) => () => seedContacts(ctx, contacts, [part, parts])),
  );
  await db.execute("analyze contacts");
  progress("lists, segments, templates, a webhook");
  await seedResources(ctx);
  const perCampaign = Math.max(1, Math.floor(contacts * 0.7));
  const campaigns = Math.min(60, Math.floor((emails * 0.8) / perCampaign));
  const transactional = emails - campaigns * perCampaign;
  await together([
    ...Array.from({ length: campaigns }, (_, nth) => async () => {
      const daysAgo = 2 + Math.floor(((campaigns - 1 - nth) / campaigns) * monthsOfHistory * 25);
      await seedCampaign(ctx, nth, { daysAgo, recipients: perCampaign });
      progress(`campaign ${nth + 1} of ${campaigns}`);
    }),
    ...transactionalPieces.map((_, nth) => async () => {
      const count = Math.floor((transactional + nth) / transactionalPieces.length);
      await seedTransactional(ctx, nth, { count, people: contacts });
      progress(`transactional mail, ${nth + 1} of ${transactionalPieces.length}`);
    }),
  ]);
  await db.execute("analyze emails");
  progress("bounces, timelines and figures");
  await together([
    () => seedTimelines(ctx),
    ...figureTasks(ctx),
    () => seedSuppressions(ctx),
    () => seedOptOuts(ctx),
  ]);
  return {
    ...access,
    project,
    contacts,
    emails,
    campaigns,
    seconds: Math.round((performance.now() - began) / 100) / 10,
  };
}
