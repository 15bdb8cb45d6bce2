import type { Command, Option } from "commander";
import { and, eq } from "drizzle-orm";
import { domains } from "@/db/schema";
import type { Context } from "@/lib/ground/context";
import { encodeId } from "@/lib/ground/ids/ids";
import { createDomain } from "@/lib/domain/sending-domains/domains";
import {
  domainCreate,
  normalizeDomainName,
  type Domain,
} from "@/lib/domain/sending-domains/schema";
import { verifyDomain } from "@/lib/domain/sending-domains/verify";
import { validate } from "@/lib/ground/validate";
import { Fault } from "@/bin/start/fault";
import { withDatabase } from "./connection";
import { run } from "./output";
import { contextOf } from "./projects";

/** The wire id of the project's domain with this name. Throws a Fault. */
async function domainIdOf(ctx: Context, name: string): Promise<string> {
  const [row] = await ctx.db
    .select()
    .from(domains)
    .where(
      and(
        eq(domains.projectId, ctx.projectId),
        eq(domains.name, normalizeDomainName(name) ?? name),
      ),
    );
  if (!row)
    throw new Fault(`The project has no domain ${name}: \`lettermill domain add\` adds it.`);
  return encodeId("domain", row.id);
}

function describe(domain: Domain): string {
  const records = domain.records.map(
    ({ purpose, type, name, value, priority, status, problem }) =>
      `${purpose.padEnd(12)} ${status.padEnd(9)} ${name} ${type} ${priority === undefined ? "" : `${priority} `}${value}${problem ? `\n${" ".repeat(13)}${problem.message}` : ""}`,
  );
  return [`${domain.name}: ${domain.status}`, ...records].join("\n");
}

/** Adds `domain add` and `domain verify`. */
export function domainCommands(
  program: Command,
  shared: { json: (command: Command) => Command; project: () => Option },
): void {
  const command = program.command("domain").description("sending domains");
  shared
    .json(command.command("add <name>"))
    .description("add a sending domain and print the DNS records it needs")
    .addOption(shared.project())
    .action((name: string, options: { project?: string; json?: boolean }) =>
      run(
        options,
        () => {
          const input = validate(domainCreate, { name });
          return withDatabase(async (db) =>
            createDomain(await contextOf(db, options.project), input),
          );
        },
        describe,
      ),
    );
  shared
    .json(command.command("verify <name>"))
    .description("look up a domain's records now and print what was found")
    .addOption(shared.project())
    .action((name: string, options: { project?: string; json?: boolean }) =>
      run(
        options,
        () =>
          withDatabase(async (db) => {
            const ctx = await contextOf(db, options.project);
            return verifyDomain(ctx, await domainIdOf(ctx, name));
          }),
        describe,
      ),
    );
}
