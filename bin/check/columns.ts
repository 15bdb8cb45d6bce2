import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "@/bin/start/root";
import { handWrittenColumns } from "./raw-columns";

const checkedFiles = /^(app|bin|components|db|emails|lib)\/.*\.tsx?$/;
/** Tests write SQL as an outsider would, and fail when a column is renamed. */
const unchecked = /\.test\.tsx?$|^(db|lib|bin\/move)\/testing\/|^lib\/doors\/http\/contract\//;

/** Each is one name written by hand, which the check must find, or it proves nothing. */
const planted = [
  "sql`insert into ${emails} (subject) values (${subject})`",
  "sql`${insertSelected(links, {})} from asked on conflict (message_id) do nothing`",
  "sql`${insertSelected(contacts, {})} on conflict (lower(email)) do nothing`",
  "sql`on conflict do update set ${assignments(links, { url: sql`excluded.url` })}`",
  "sql.raw(`warmup_hours.sent + excluded.sent`)",
  "sql`update ${emails} set status = 'SENT' where ${emails.id} = ${id}`",
  "sql`update ${emails} set ${emails.opens} = 1, recipient = null`",
  "sql`gone as (delete from ${emailQueue} returning email_id)`",
  "sql`select e.opened_at from ${emails} e`",
  "sql`delete from ${monthlyUsage} as used where used.emails = 0`",
  "sql`select ${emails.id} from ${emails} where campaign_id is null`",
  "sql`exists (select from ${emails} left join ${contacts} on true where max(opened_at) > now())`",
];

/** Names that a statement introduces itself. */
const allowed = [
  "sql`insert into ${emails} (${columns(emails.subject)}) values (${subject})`",
  "sql`select asked.message_id from unnest(${ids}::uuid[]) as asked(message_id)`",
  "sql`select email_id from gone join ${emails} on ${emails.id} = email_id`",
  "sql`returning ${emails.id}, result.subject, 1 as settled, ${emails.status} = 'SENT' as sent`",
  "sql`select count(*) as emails from ${emails} e where ${e.sentAt} > (select sent_at from first)`",
];

const namedIn = (text: string) => handWrittenColumns("planted.ts", text);
const faults = [
  ...planted
    .filter((text) => namedIn(text).length !== 1)
    .map((text) => `The check let the planted ${text} through.`),
  ...allowed
    .filter((text) => namedIn(text).length > 0)
    .map((text) => `The check refused ${text}, which names no table's column.`),
];

const files = execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard"], {
  cwd: root,
  encoding: "utf8",
})
  .split("\n")
  .filter(
    (file) => checkedFiles.test(file) && !unchecked.test(file) && existsSync(join(root, file)),
  )
  .map((file) => ({ file, text: readFileSync(join(root, file), "utf8") }))
  .filter(({ text }) => text.includes("sql"));
for (const { file, text } of files) {
  for (const { line, name } of handWrittenColumns(file, text)) {
    faults.push(
      `${file}:${line}: ${name} is a column: take its name from the schema (db/names.ts).`,
    );
  }
}
for (const fault of faults) console.error(fault);
console.log(
  `${files.length} files with SQL, ${planted.length} planted columns refused, ${allowed.length} other names let through.`,
);
if (faults.length > 0 || files.length < 50) process.exitCode = 1;
