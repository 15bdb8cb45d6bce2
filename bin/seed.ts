import { Command, InvalidArgumentError } from "commander";
import { withDatabase } from "./lettermill/connection";
import { run } from "./lettermill/output";
import { seedProject, type SeedOptions } from "./seed/project";

function amount(text: string): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1 || value > 50_000_000) {
    throw new InvalidArgumentError("It is a whole number from 1 to 50,000,000.");
  }
  return value;
}

const program = new Command("seed")
  .description(
    "Fills a new project with believable data: contacts with a history, lists, segments, templates, campaigns with opens and bounces, a webhook. The newest 200,000 emails have a timeline.",
  )
  .option("--project <name>", "name of the new project", "Northwind Tea")
  .option("--contacts <number>", "people", amount, 2_000)
  .option("--emails <number>", "emails, four fifths of them from campaigns", amount, 20_000)
  .option("--json", "print the result as JSON, and nothing else, on standard output")
  .showHelpAfterError()
  .action((options: SeedOptions & { json?: boolean }) =>
    run(options, () =>
      withDatabase((db) => seedProject(db, options, (text) => process.stderr.write(`${text}\n`))),
    ),
  );

await program.parseAsync();
