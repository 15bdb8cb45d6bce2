import type { Command } from "commander";
import { resealAll } from "@/lib/domain/secret-rotation/reseal";
import { withDatabase } from "./connection";
import { run } from "./output";

/** Adds `secret reseal`. */
export function secretCommands(program: Command, json: (command: Command) => Command): void {
  const command = program.command("secret").description("APP_SECRET");
  json(command.command("reseal"))
    .description("encrypt with APP_SECRET what is still encrypted with an earlier one")
    .action((options: { json?: boolean }) => run(options, () => withDatabase(resealAll)));
}
