import { expect, test } from "vitest";
import { emailStatuses, type EmailStatus } from "@/db/enums";
import { useTestDatabase } from "@/db/testing";
import { statusAfter } from "./status";

const database = useTestDatabase();

/** The rule in words of its own: what replaces what. */
function expected(current: EmailStatus, next: EmailStatus): EmailStatus {
  const ladder: EmailStatus[] = ["PENDING", "SENT", "DELIVERED", "OPENED", "CLICKED"];
  if (current === "COMPLAINED" || next === "COMPLAINED") return "COMPLAINED";
  const ends: EmailStatus[] = ["BOUNCED", "FAILED"];
  if (ends.includes(current)) return current;
  if (ends.includes(next)) return ladder.indexOf(current) <= 2 ? next : current;
  return ladder.indexOf(next) > ladder.indexOf(current) ? next : current;
}

test("a status only moves up, bounces replace what nobody opened, a complaint replaces all", async () => {
  const rows = await database.db.$client<
    { current: EmailStatus; next: EmailStatus; after: EmailStatus }[]
  >`select c as current, n as next, ${database.db.$client.unsafe(statusAfter("c", "n"))} as after
    from unnest(${emailStatuses}::text[]) c, unnest(${emailStatuses}::text[]) n`;
  expect(rows).toHaveLength(64);
  for (const { current, next, after } of rows) expect(after).toBe(expected(current, next));
});

test("nothing reported changes nothing", async () => {
  const [row] = await database.db.$client<{ after: string }[]>`
    select ${database.db.$client.unsafe(statusAfter("'SENT'", "null::text"))} as after`;
  expect(row?.after).toBe("SENT");
});
