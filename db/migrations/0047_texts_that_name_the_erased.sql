-- Texts kept before they left addresses out may name the person: those leave with the person, by a deletion that says whose address.
create or replace function keep_consent() returns trigger language plpgsql as $$
begin
  -- Nested: consent_texts has no contact_id, and a condition is planned as a whole.
  if tg_op = 'DELETE' and tg_table_name = 'consent_changes' then
    if old.contact_id::text = current_setting('lettermill.erased_contact', true) then
      return old;
    end if;
  elsif tg_op = 'DELETE' and tg_table_name = 'consent_texts' then
    if current_setting('lettermill.erased_address', true) <> ''
      and strpos(lower(old.text), lower(current_setting('lettermill.erased_address', true))) > 0 then
      return old;
    end if;
  end if;
  raise exception 'The history of consent cannot be changed.' using errcode = 'restrict_violation';
end
$$;
