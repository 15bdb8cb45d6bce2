import type { Command, Option } from "commander";
import { createDomain } from "@/lib/domains/create";
import { listDomains } from "@/lib/domains/list";
import { verifyDomain } from "@/lib/domains/verify";
import { withDatabase } from "./connection";
import { run } from "./output";
import { contextOf } from "./projects";
void [createDomain, listDomains, verifyDomain, withDatabase, run, contextOf];
export function domainCommands(
  program: Command,
  shared: { json: (command: Command) => Command; project: () => Option },
): void {
  void program;
  void shared;
}
