import { Command, Option } from "commander";
import type { Database } from "@/db/client";
import { keyModes, keyScopes, roleNames } from "@/db/enums";
import { createApiKey } from "@/lib/domain/api-keys/api-keys";
import { apiKeyCreate } from "@/lib/domain/api-keys/schema";
import { audit } from "@/lib/ground/audit";
import { encodeId } from "@/lib/ground/ids/ids";
import { bootstrap } from "@/lib/domain/projects/bootstrap";
import {
  findOrCreatePlatformToken,
  rotatePlatformToken,
} from "@/lib/domain/projects/platform-tokens";
import { createProject } from "@/lib/domain/projects/projects";
import { setMonthlyLimit } from "@/lib/domain/projects/usage";
import { inviteUser } from "@/lib/domain/users/invitations";
import { unlinkIdentitiesOf } from "@/lib/domain/users/identities";
import { disableSecondFactorOf } from "@/lib/domain/users/second-factor";
import { findOrCreateUser } from "@/lib/domain/users/users";
import { isAppError } from "@/lib/ground/errors";
import { validate } from "@/lib/ground/validate";
import { Fault } from "./start/fault";
import { migrateAny, withDatabase } from "./lettermill/connection";
import { backupCommands } from "./lettermill/backup";
import { domainCommands } from "./lettermill/domains";
import { mailCommands } from "./lettermill/mail";
import { moveCommands } from "./lettermill/moves";
import { run } from "./lettermill/output";
import { secretCommands } from "./lettermill/secret";
import { contextOf, memberOf, monthlyLimit } from "./lettermill/projects";

const program = new Command("lettermill")
  .description(
    "Commands for operators. They use the database of DATABASE_URL or of the running product, or start the embedded one for as long as they take.",
  )
  .showHelpAfterError("(see --help)");

/** Adds the option that every command has. */
function json(command: Command): Command {
  return command.option("--json", "print the result as JSON, and nothing else, on standard output");
}
const project = () =>
  new Option("--project <id or name>", "may be omitted while there is only one");

json(program.command("bootstrap"))
  .description("find or create a user and a project, and print what is needed to start")
  .requiredOption("--email <address>", "the user's address")
  .option("--project <name>", "the project's name (default: the oldest one the user owns)")
  .action((options: { email: string; project?: string; json?: boolean }) =>
    run(options, () =>
      withDatabase((db) =>
        bootstrap(db, {
          email: options.email,
          ...(options.project === undefined ? {} : { projectName: options.project }),
        }),
      ),
    ),
  );

json(program.command("migrate"))
  .description("migrate the database to this release's schema")
  .action((options: { json?: boolean }) =>
    run(
      options,
      async () => {
        await migrateAny();
        return { migrated: true };
      },
      () => "The database is at this release's schema.",
    ),
  );

const projectCommand = program.command("project").description("projects");
json(projectCommand.command("create <name>"))
  .description("create a project")
  .requiredOption("--owner <address>", "the address of the user who owns it; created when unknown")
  .action((name: string, options: { owner: string; json?: boolean }) =>
    run(options, () =>
      withDatabase((db) =>
        db.transaction(async (tx) => {
          const owner = await findOrCreateUser(tx, { email: options.owner });
          const created = await createProject(tx, { name, ownerUserId: owner.id });
          return { id: encodeId("project", created.id), name: created.name, owner: owner.email };
        }),
      ),
    ),
  );

json(projectCommand.command("limit <emails>"))
  .description('limit the emails of a calendar month (UTC); "none" lifts the limit')
  .addOption(project())
  .action((emails: string, options: { project?: string; json?: boolean }) =>
    run(options, () => {
      const limit = monthlyLimit(emails);
      return withDatabase(async (db) => {
        const ctx = await contextOf(db, options.project);
        await setMonthlyLimit(ctx, limit);
        return { projectId: encodeId("project", ctx.projectId), monthlyEmailLimit: limit };
      });
    }),
  );

moveCommands(projectCommand, json);

const keyCommand = program.command("key").description("API keys");
json(keyCommand.command("create"))
  .description("create an API key; it is shown only once")
  .addOption(project())
  .option("--name <name>", "what it is for", "Command line")
  .addOption(new Option("--scope <scope>", "what it may do").choices(keyScopes).default("full"))
  .addOption(
    new Option("--mode <mode>", "test: mail ends in the captured mailbox")
      .choices(keyModes)
      .default("live"),
  )
  .action(
    (options: { project?: string; name: string; scope: string; mode: string; json?: boolean }) =>
      run(options, () => {
        const { name, scope, mode } = options;
        const input = validate(apiKeyCreate, { name, scope, mode });
        return withDatabase(async (db) =>
          createApiKey(await contextOf(db, options.project), input),
        );
      }),
  );

domainCommands(program, { json, project });
mailCommands(program, json);
backupCommands(program, json);
secretCommands(program, json);

const tokenCommand = program.command("token").description("platform API tokens");
json(tokenCommand.command("create"))
  .description("print a member's platform API token; it is created on first use")
  .requiredOption("--email <address>", "the member's address")
  .addOption(project())
  .option("--rotate", "replace it; the old one stops working at once")
  .action((options: { email: string; project?: string; rotate?: boolean; json?: boolean }) =>
    run(options, () =>
      withDatabase(async (db) => {
        const ctx = await contextOf(db, options.project);
        const owner = { projectId: ctx.projectId, ...(await memberOf(ctx, options.email)) };
        const token = options.rotate
          ? await rotatePlatformToken(db, owner)
          : await findOrCreatePlatformToken(db, owner);
        const action = options.rotate ? "rotate.platformToken" : "reveal.platformToken";
        await audit(db, ctx, action, encodeId("user", owner.userId));
        return { projectId: encodeId("project", ctx.projectId), email: options.email, token };
      }),
    ),
  );

const userCommand = program.command("user").description("people");
json(userCommand.command("invite <address>"))
  .description("make somebody a member of a project, and print the link that lets them in")
  .addOption(project())
  .addOption(new Option("--role <role>", "what they may do").choices(roleNames).default("editor"))
  .option("--name <name>", "the person's name, when they are new here", "")
  .action(
    (
      address: string,
      options: { project?: string; role: (typeof roleNames)[number]; name: string; json?: boolean },
    ) =>
      run(options, () =>
        withDatabase(async (db) => {
          const ctx = await contextOf(db, options.project);
          const { name, role } = options;
          const invitation = await inviteUser(ctx, { email: address, name, role });
          return {
            userId: encodeId("user", invitation.user.id),
            email: invitation.user.email,
            role: invitation.role,
            projectId: encodeId("project", ctx.projectId),
            url: invitation.url,
          };
        }),
      ),
  );

/** Does something for the person with an address, which has to be known. */
const forPerson = <Result>(address: string, act: (db: Database) => Promise<Result>) =>
  withDatabase((db) =>
    act(db).catch((error: unknown) => {
      if (isAppError(error) && error.code === "NOT_FOUND") {
        throw new Fault(`There is nobody with the address ${address}.`);
      }
      throw error;
    }),
  );

json(userCommand.command("unlink <address>"))
  .description(
    "unlink the accounts at an identity provider of somebody who has got a new one there",
  )
  .action((address: string, options: { json?: boolean }) =>
    run(
      options,
      async () => ({
        email: address,
        unlinked: await forPerson(address, (db) => unlinkIdentitiesOf(db, address)),
      }),
      ({ email, unlinked }) =>
        unlinked > 0
          ? `The next account at the provider with the verified address ${email} is linked.`
          : `No account at a provider was linked to ${email}.`,
    ),
  );

json(userCommand.command("two-step-off <address>"))
  .description("switch two-step sign-in off for somebody who has lost app and recovery codes")
  .action((address: string, options: { json?: boolean }) =>
    run(
      options,
      async () => ({
        email: address,
        wasOn: await forPerson(address, (db) => disableSecondFactorOf(db, address)),
      }),
      ({ email, wasOn }) =>
        wasOn
          ? `${email} signs in without a code from now on.`
          : `Two-step sign-in was not on for ${email}.`,
    ),
  );

await program.parseAsync();
