import { Option, type Command } from "commander";
import { eq } from "drizzle-orm";
import { cancelMove, removeMoved } from "@/bin/move/leave";
import { moveProject, type MoveFigures } from "@/bin/move/move";
import { Fault } from "@/bin/start/fault";
import type { Database } from "@/db/client";
import { projectMoves } from "@/db/schema";
import { env } from "@/lib/ground/env/env";
import { decodeId, encodeId } from "@/lib/ground/ids/ids";
import { withDatabase } from "./connection";
import { run } from "./output";
import { contextOf } from "./projects";

interface Options {
  to: string;
  url: string;
  files?: string;
  wait: string;
  json?: boolean;
}

/** The database of withDatabase, past a pooler: connections keep locks and settings. */
function ownUrl(): string {
  const { DATABASE_DIRECT_URL, DATABASE_URL } = env();
  const url = DATABASE_DIRECT_URL ?? DATABASE_URL;
  if (!url) throw new Error("withDatabase has set DATABASE_URL.");
  return url;
}

/** The project (uuid) that an operator means. One that was deleted while it moved is known by its id alone. */
async function projectOf(db: Database, reference: string): Promise<string> {
  const projectId = decodeId("project", reference);
  const isOnItsWay =
    projectId !== null &&
    (await db.$count(projectMoves, eq(projectMoves.projectId, projectId))) > 0;
  return isOnItsWay ? projectId : (await contextOf(db, reference)).projectId;
}

/** Does something with the project that an operator means. */
const withProject = <Result>(reference: string, act: (projectId: string) => Promise<Result>) =>
  withDatabase(async (db) => act(await projectOf(db, reference)));

function urlOf(text: string): string {
  const isWeb = URL.canParse(text) && ["http:", "https:"].includes(new URL(text).protocol);
  if (!isWeb) throw new Fault(`--url ${text}: is not an address that begins with https://.`);
  return text.replace(/\/+$/, "");
}

const target = () =>
  new Option(
    "--to <DATABASE_URL>",
    "the other database, past a pooler; MOVE_TO in the environment says it unseen by others on the machine",
  )
    .env("MOVE_TO")
    .makeOptionMandatory();

const waitSecondsOf = (text: string): number => {
  const seconds = Number(text);
  if (Number.isInteger(seconds) && seconds >= 0 && seconds <= 3_600) return seconds;
  throw new Fault(`--wait ${text}: is not a number of seconds from 0 to 3600.`);
};

const describe = ({ url, figures }: { url: string; figures: MoveFigures | null }) =>
  `The project is open at ${url}${figures ? `: ${figures.rows} rows, ${figures.files} files. It was closed for ${figures.closedSeconds} s. While it was used, ${figures.copied} rows were copied (${figures.rowsPerSecond} a second), and ${figures.changes} changes` : ""}. ` +
  "`lettermill project remove-moved` deletes what is left here.";

/** Adds `project move`, `project move-cancel` and `project remove-moved` to `project`. */
export function moveCommands(projectCommand: Command, json: (command: Command) => Command): void {
  json(projectCommand.command("move <project>"))
    .description(
      "move a project to another database while it is used; the same command goes on after it broke off",
    )
    .addOption(target())
    .requiredOption("--url <APP_URL>", "where the project is reached there")
    .addOption(
      new Option(
        "--files <place>",
        "where files are kept there: its DATA_DIR, its FILES (s3://...; MOVE_FILES says it unseen), or shared",
      ).env("MOVE_FILES"),
    )
    .option("--wait <seconds>", "for how long mail that is being handed over is waited for", "120")
    .action((project: string, options: Options) =>
      run(
        options,
        async () => {
          const url = urlOf(options.url);
          const waitSeconds = waitSecondsOf(options.wait);
          return withProject(project, async (projectId) => {
            const figures = await moveProject({
              source: ownUrl(),
              target: options.to,
              projectId,
              url,
              files: options.files ?? null,
              waitSeconds,
              say: (step) => process.stderr.write(`${step}\n`),
            });
            return { projectId: encodeId("project", projectId), url, figures };
          });
        },
        describe,
      ),
    );
  json(projectCommand.command("move-cancel <project>"))
    .description("end a move that is not done: the project stays here")
    .addOption(target())
    .action((project: string, options: Options) =>
      run(options, () =>
        withProject(project, async (projectId) => {
          await cancelMove(ownUrl(), options.to, projectId);
          return { projectId: encodeId("project", projectId), moving: false };
        }),
      ),
    );
  json(projectCommand.command("remove-moved <project>"))
    .description("delete what a project that has moved left in this database")
    .action((project: string, options: Options) =>
      run(options, () =>
        withProject(project, async (projectId) => {
          await removeMoved(ownUrl(), projectId);
          return { projectId: encodeId("project", projectId), removed: true };
        }),
      ),
    );
}
