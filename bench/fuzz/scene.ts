import { sql } from "drizzle-orm";
import type { Database } from "@/db/client";
import { domains } from "@/db/schema";
import { Contract } from "@/lib/doors/http/contract/document";
import { platformDocument } from "@/lib/doors/http/platform/openapi";
import { openApiDocument } from "@/lib/doors/http/v1/openapi";
import { createDkimKey } from "@/lib/domain/sending-domains/dkim-keys";
import { confirmAppSecret } from "@/lib/ground/installation";
import { makeCampaign, seedContacts } from "@/lib/testing/campaigns";
import { makeProject, type TestProject } from "@/lib/testing";
import { platformToken } from "@/lib/testing/platform";
import { newId } from "@/lib/ground/ids/ids";
import type { Surface } from "./requests";

/** A project with a verified domain and a key that may do everything. */
export async function makeSender(db: Database, domain: string): Promise<TestProject> {
  const project = await makeProject(db, { name: domain });
  const key = await createDkimKey();
  await db.insert(domains).values({
    id: newId(project.projectId),
    projectId: project.projectId,
    name: domain,
    status: "VERIFIED",
    ...key,
  });
  return project;
}

/** Both surfaces, with the credentials of a project of its own that no limit holds back. */
export async function surfacesOf(db: Database): Promise<Surface[]> {
  await confirmAppSecret(db);
  const project = await makeSender(db, "fuzz.example.com");
  await db.execute(sql`
    update projects set sends_per_minute = 1000000, requests_per_ten_seconds = 1000000`);
  const token = await platformToken(project);
  return [
    {
      contract: new Contract(openApiDocument()),
      prefix: "",
      authorization: `Bearer ${project.apiKey}`,
    },
    {
      contract: new Contract(platformDocument()),
      prefix: "/api/v1",
      authorization: `Bearer ${token}`,
    },
  ];
}

/** Starts another project's campaign to this many people. Resolves to its uuid. */
export async function startCampaign(db: Database, people: number): Promise<string> {
  const { projectId } = await makeSender(db, "news.example.com");
  await seedContacts(db, projectId, people);
  await db.execute(sql`vacuum analyze contacts`);
  return makeCampaign(db, { projectId, fromEmail: "news@news.example.com" });
}

/** Mail of the campaign that has left or failed. */
export async function settledMail(db: Database, campaign: string): Promise<number> {
  const [row] = await db.execute<{ n: number }>(sql`
    select coalesce(sum(settled), 0)::int as n from hourly_figures where campaign_id = ${campaign}`);
  return row?.n ?? 0;
}
