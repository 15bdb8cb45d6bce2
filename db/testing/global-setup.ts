import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import postgres from "postgres";
import type { TestProject } from "vitest/node";
import { migrateDatabase } from "@/db/migrate";
import { startTestCluster } from "./cluster";

declare module "vitest" {
  export interface ProvidedContext {
    /** URL of the cluster's maintenance database. */
    postgresUrl: string;
  }
}

export const templateDatabase = "lettermill_template";

/**
 * One Postgres for the whole run, with a migrated database that each test file's is copied from.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const cluster = await startTestCluster();
  try {
    const admin = postgres(cluster.url("postgres"), { max: 1 });
    await admin.unsafe(`create database ${templateDatabase}`);
    await migrateDatabase(cluster.url(templateDatabase));
    // Nobody may connect to it by accident: a template with a connection cannot be copied.
    await admin.unsafe(`alter database ${templateDatabase} with allow_connections false`);
    await admin.end();
  } catch (error) {
    await cluster.stop();
    throw error;
  }
  project.provide("postgresUrl", cluster.url("postgres"));
  return async () => {
    await cluster.stop();
    // Where vitest.config.ts has tests keep files.
    await rm(join(tmpdir(), `lettermill-tests-${process.pid}`), { recursive: true, force: true });
  };
}
