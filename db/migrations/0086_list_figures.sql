CREATE TABLE "list_figures" (
	"list_id" uuid NOT NULL,
	"status" text NOT NULL,
	"slot" smallint NOT NULL,
	"members" integer NOT NULL,
	CONSTRAINT "list_figures_list_id_status_slot_pk" PRIMARY KEY("list_id","status","slot")
);
--> statement-breakpoint
ALTER TABLE "list_figures" ADD CONSTRAINT "list_figures_list_id_lists_id_fk" FOREIGN KEY ("list_id") REFERENCES "public"."lists"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
create function add_members(of_list uuid, of_status text, added integer) returns void language plpgsql as $$
begin
  update list_figures set members = members + added
  where list_id = of_list and status = of_status and slot = (
    select free.slot from list_figures free
    where free.list_id = of_list and free.status = of_status and free.slot >= 0
    limit 1 for update skip locked);
  if not found then
    -- Of a list that is being deleted, members go after it.
    insert into list_figures as kept (list_id, status, slot, members)
    select of_list, of_status, (random() * 32767)::smallint, added
    where exists (select from lists where id = of_list)
    on conflict (list_id, status, slot) do update set members = kept.members + excluded.members;
  end if;
end
$$;
--> statement-breakpoint
create function count_members() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    perform add_members(list_id, status, joined::integer)
    from (select list_id, status, count(*) as joined from added group by 1, 2) as changed;
  elsif tg_op = 'DELETE' then
    perform add_members(list_id, status, -gone::integer)
    from (select list_id, status, count(*) as gone from removed group by 1, 2) as changed;
  else
    perform add_members(list_id, status, moved::integer)
    from (
      select list_id, status, sum(people) as moved from (
        select list_id, status, 1 as people from added
        union all select list_id, status, -1 from removed
      ) as both_ways group by 1, 2 having sum(people) <> 0
    ) as changed;
  end if;
  return null;
end
$$;
--> statement-breakpoint
create trigger members_joined after insert on subscribers
  referencing new table as added for each statement execute function count_members();
--> statement-breakpoint
create trigger members_changed after update on subscribers
  referencing old table as removed new table as added for each statement execute function count_members();
--> statement-breakpoint
create trigger members_gone after delete on subscribers
  referencing old table as removed for each statement execute function count_members();
