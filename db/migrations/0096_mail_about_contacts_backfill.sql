-- What told the owners of lists of somebody who left: mail is found by its index of what lists send, the member by the id in its metadata (26 digits of base 32).
INSERT INTO "mail_about_contacts" ("message_id", "project_id", "contact_id")
SELECT m."id", m."project_id", s."contact_id"
FROM "emails" e
  JOIN "messages" m ON m."id" = e."message_id"
  CROSS JOIN LATERAL (
    SELECT substr(string_agg((strpos('0123456789abcdefghjkmnpqrstvwxyz', digit) - 1)::bit(5)::text, '' ORDER BY place), 3) AS bits
    FROM regexp_split_to_table(substr(m."metadata" ->> 'subscriberId', 5), '') WITH ORDINALITY AS given(digit, place)
  ) member
  CROSS JOIN LATERAL (
    SELECT string_agg(to_hex(substr(member.bits, 4 * n + 1, 4)::bit(4)::int), '' ORDER BY n)::uuid AS id
    FROM generate_series(0, 31) n
  ) decoded
  JOIN "subscribers" s ON s."id" = decoded.id
WHERE e."source" = 'LIST' AND m."metadata" ->> 'mail' = 'unsubscribeNotification'
ON CONFLICT DO NOTHING;
