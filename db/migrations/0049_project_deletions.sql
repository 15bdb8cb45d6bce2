CREATE TABLE "project_deletions" (
	"project_id" uuid PRIMARY KEY NOT NULL,
	"asked_at" timestamp with time zone DEFAULT app_now() NOT NULL,
	"emptied_at" timestamp with time zone
);
--> statement-breakpoint
-- The history of consent leaves with its person, and with a project that is being deleted.
create or replace function keep_consent() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    if exists (select from project_deletions where project_id = old.project_id) then
      return old;
    end if;
    -- Nested: consent_texts has no contact_id, and a condition is planned as a whole.
    if tg_table_name = 'consent_changes' then
      if old.contact_id::text = current_setting('lettermill.erased_contact', true) then
        return old;
      end if;
    elsif tg_table_name = 'consent_texts' then
      if current_setting('lettermill.erased_address', true) <> ''
        and strpos(lower(old.text), lower(current_setting('lettermill.erased_address', true))) > 0 then
        return old;
      end if;
    end if;
  end if;
  raise exception 'The history of consent cannot be changed.' using errcode = 'restrict_violation';
end
$$;
