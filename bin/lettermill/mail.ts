import type { Command } from "commander";
import { endHold, findHold, holdMail, waitingMail } from "@/lib/domain/sending-state/hold";
import { withDatabase } from "./connection";
import { run } from "./output";

const why = {
  restored: "the database was restored from a backup",
  asked: "an operator asked for it",
};

/** Adds `mail status`, `mail hold` and `mail go-on`. */
export function mailCommands(program: Command, json: (command: Command) => Command): void {
  const command = program.command("mail").description("mail of all projects");
  json(command.command("status"))
    .description("whether mail is held, and what waits")
    .action((options: { json?: boolean }) =>
      run(
        options,
        () =>
          withDatabase(async (db) => ({
            hold: await findHold(db),
            waiting: await waitingMail(db),
          })),
        ({ hold, waiting }) =>
          [
            hold ? `Mail is held since ${hold.since}: ${why[hold.reason]}.` : "Mail is not held.",
            ...waiting.map(
              ({ project, transactional, campaigns }) =>
                `${project}: ${campaigns} emails of campaigns and ${transactional} others wait.`,
            ),
          ].join("\n"),
      ),
    );
  json(command.command("hold"))
    .description("begin no more mail, on any machine, until `mail go-on`")
    .action((options: { json?: boolean }) =>
      run(
        options,
        () =>
          withDatabase(async (db) => {
            await holdMail(db, "asked");
            return { held: true };
          }),
        () => "No more mail is begun.",
      ),
    );
  json(command.command("go-on"))
    .description(
      "let held mail go on: after a restore, what was sent since the backup is sent again",
    )
    .action((options: { json?: boolean }) =>
      run(
        options,
        () => withDatabase(async (db) => ({ wasHeld: await endHold(db) })),
        ({ wasHeld }) => (wasHeld ? "Mail goes on." : "Mail was not held."),
      ),
    );
}
