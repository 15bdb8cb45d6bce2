import { writeFileSync } from "node:fs";
import { sql } from "drizzle-orm";
import { startStand } from "@/bench/stand";
import { createProject } from "@/lib/domain/projects/projects";
import { findOrCreateUser } from "@/lib/domain/users/users";
const stand = await startStand();
const db = stand.db;
const owner = await findOrCreateUser(db, { email: "perf@example.com", name: "Perf" });
const a = await createProject(db, { name: "A", ownerUserId: owner.id });
const b = await createProject(db, { name: "B", ownerUserId: owner.id });
const log = (w: string) => console.log(new Date().toISOString(), w);
await db.execute(sql`insert into contacts (id, project_id, email, consent, created_at)
 select overlay(gen_random_uuid()::text placing lpad(to_hex(n), 8, '0') from 1 for 8)::uuid, ${a.id}::uuid,
  'person'||n||'@'||case n%10 when 0 then 'gmail.com' when 1 then 'outlook.com' else 'firm'||(n%3000)||'.example' end, case when n%10<8 then 'subscribed' else 'unsubscribed' end,
  now() - interval '500 days' from generate_series(1,200000) n`);
log("contacts");
const camps: string[] = [];
for (let k = 0; k < 6; k++) {
  const rows = await db.execute<{ id: string }>(
    sql`insert into campaigns (id, project_id, name, status, started_at, recipients) values (gen_random_uuid(), ${k < 5 ? a.id : b.id}::uuid, ${"C" + k}, 'SENT', now() - interval '10 days', ${k < 5 ? 200000 : 1000000}) returning id`,
  );
  camps.push(rows[0]!.id);
}
for (let k = 0; k < 5; k++) {
  const days = [400, 150, 90, 40, 10][k]!;
  await db.execute(sql`insert into emails (id, project_id, message_id, contact_id, campaign_id, recipient, source, status, sent_at, delivered_at, opened_at, clicked_at, opens, created_at)
   select overlay(gen_random_uuid()::text placing lpad(to_hex(${k}::int*200000 + row_number() over (order by random())), 8, '0') from 1 for 8)::uuid, c.project_id, gen_random_uuid(), c.id, ${camps[k]}::uuid, c.email, 'CAMPAIGN', 'SENT',
    now()-make_interval(days=>${days}::int), now()-make_interval(days=>${days}::int),
    case when random()<0.3 then now()-make_interval(days=>${days}::int)+interval '3 hours' end,
    case when random()<0.05 then now()-make_interval(days=>${days}::int)+interval '3 hours' end, 0, now()-make_interval(days=>${days}::int)
   from contacts c where c.project_id=${a.id}`);
  log("camp " + k);
}
await db.execute(sql`insert into emails (id, project_id, message_id, contact_id, campaign_id, recipient, source, status, sent_at, delivered_at, opened_at, created_at)
   select overlay(gen_random_uuid()::text placing lpad(to_hex(2000000+n), 8, '0') from 1 for 8)::uuid, ${b.id}::uuid, gen_random_uuid(), gen_random_uuid(), ${camps[5]}::uuid,
   'person'||n||'@'||case n%10 when 0 then 'gmail.com' when 1 then 'outlook.com' else 'firm'||(n%100000)||'.example' end, 'CAMPAIGN','SENT', now(), now(), null, now() from generate_series(1,1000000) n`);
log("B");
await db.execute(
  sql`insert into receiving_domains (name, receiver) select 'firm'||n||'.example', case n%3 when 0 then 'google.com' when 1 then 'outlook.com' else 'firm'||n||'.example' end from generate_series(1,300) n`,
);
await db.execute(sql`vacuum analyze`);
log("done");
writeFileSync(
  "/tmp/pace-perf/info.json",
  JSON.stringify({ url: stand.databaseUrl, a: a.id, b: b.id, camps }),
);
process.on("SIGTERM", () => void stand.stop().then(() => process.exit(0)));
setInterval(() => {}, 1e9);
