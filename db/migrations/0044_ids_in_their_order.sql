-- The twelve bits behind the variant say where in its millisecond an id was made, as newId does it (RFC 9562,
-- section 6.2, method 3). One reading of the clock in one expression, so that the function is inlined.
CREATE OR REPLACE FUNCTION new_id(project_id uuid) RETURNS uuid LANGUAGE sql VOLATILE PARALLEL SAFE AS $$
  SELECT (
    overlay(
      lpad(to_hex((extract(epoch FROM clock_timestamp()) * 1000000)::bigint * 512 / 125), 15, '0')
      PLACING '7' || right(coalesce(project_id, gen_random_uuid())::text, 3) || '8' FROM 13 FOR 0
    ) || right(gen_random_uuid()::text, 12)
  )::uuid
$$;
