CREATE TABLE "contact_changes" (
	"id" uuid NOT NULL,
	"project_id" uuid NOT NULL,
	"contact_id" uuid NOT NULL,
	"before" jsonb NOT NULL,
	"after" jsonb NOT NULL,
	"origin" text,
	"actor_id" uuid,
	"import_id" uuid,
	"form_id" uuid,
	"undoes" uuid,
	"created_at" timestamp with time zone DEFAULT app_now() NOT NULL,
	CONSTRAINT "contact_changes_contact_id_created_at_id_pk" PRIMARY KEY("contact_id","created_at","id")
);
--> statement-breakpoint
CREATE TABLE "contact_notes" (
	"id" uuid PRIMARY KEY NOT NULL,
	"project_id" uuid NOT NULL,
	"contact_id" uuid NOT NULL,
	"text" text NOT NULL,
	"author_type" text NOT NULL,
	"author_id" uuid NOT NULL,
	"created_at" timestamp with time zone DEFAULT app_now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT app_now() NOT NULL
);
--> statement-breakpoint
CREATE INDEX "contact_changes_age" ON "contact_changes" USING btree ("project_id","created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "contact_changes_undoes" ON "contact_changes" USING btree ("undoes") WHERE undoes is not null;--> statement-breakpoint
CREATE INDEX "contact_notes_contact" ON "contact_notes" USING btree ("contact_id","created_at","id");--> statement-breakpoint
CREATE INDEX "contact_notes_project" ON "contact_notes" USING btree ("project_id");--> statement-breakpoint
-- A trigger, since a dozen statements change contacts and none may forget it. Who does it is what their transaction has
-- said in lettermill.changed_by: {origin, actorId, importId, formId, undoes}, or under `each` one of these by project
-- and address.
create function keep_contact_change() returns trigger language plpgsql as $$
declare
  said jsonb := nullif(current_setting('lettermill.changed_by', true), '')::jsonb;
  before jsonb := '{}';
  after jsonb := '{}';
  data_before jsonb;
  data_after jsonb;
begin
  if said ? 'each' then
    said := said -> 'each' -> (new.project_id || ' ' || lower(new.email));
  end if;
  if old.email is distinct from new.email then
    before := before || jsonb_build_object('email', old.email);
    after := after || jsonb_build_object('email', new.email);
  end if;
  if old.first_name is distinct from new.first_name then
    before := before || jsonb_build_object('firstName', old.first_name);
    after := after || jsonb_build_object('firstName', new.first_name);
  end if;
  if old.last_name is distinct from new.last_name then
    before := before || jsonb_build_object('lastName', old.last_name);
    after := after || jsonb_build_object('lastName', new.last_name);
  end if;
  if old.tags is distinct from new.tags then
    before := before || jsonb_build_object('tags', old.tags);
    after := after || jsonb_build_object('tags', new.tags);
  end if;
  if old.data is distinct from new.data then
    select coalesce(jsonb_object_agg(key, old.data -> key) filter (where old.data ? key), '{}'),
      coalesce(jsonb_object_agg(key, new.data -> key) filter (where new.data ? key), '{}')
    into data_before, data_after
    from jsonb_object_keys(old.data || new.data) key
    where old.data -> key is distinct from new.data -> key;
    before := before || jsonb_build_object('data', data_before);
    after := after || jsonb_build_object('data', data_after);
  end if;
  insert into contact_changes (id, project_id, contact_id, before, after, origin, actor_id, import_id, form_id, undoes)
  values (new_id(new.project_id), new.project_id, new.id, before, after, said ->> 'origin',
    (said ->> 'actorId')::uuid, (said ->> 'importId')::uuid, (said ->> 'formId')::uuid, (said ->> 'undoes')::uuid);
  return null;
end
$$;
--> statement-breakpoint
create trigger contact_changed after update on contacts for each row
  when (old.email is distinct from new.email or old.first_name is distinct from new.first_name
    or old.last_name is distinct from new.last_name or old.tags is distinct from new.tags
    or old.data is distinct from new.data)
  execute function keep_contact_change();
