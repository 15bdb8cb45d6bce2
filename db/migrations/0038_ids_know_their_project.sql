-- A UUIDv7 with the last 12 bits of its project's id in rand_a, as newId of lib/ground/ids makes it. Those of
-- a random uuid stand in for a project that there is not: the audit log has acts under none.
CREATE FUNCTION new_id(project_id uuid) RETURNS uuid LANGUAGE sql VOLATILE PARALLEL SAFE AS $$
  SELECT (
    lpad(to_hex((extract(epoch FROM clock_timestamp()) * 1000)::bigint), 12, '0') || '7'
    || right(coalesce(project_id, gen_random_uuid())::text, 3) || right(gen_random_uuid()::text, 17)
  )::uuid
$$;
