-- Failures that were written down with words only get the code that goes with them.
UPDATE "email_events" SET "data" = "data" || jsonb_build_object('reasonCode', CASE "data" ->> 'reason'
  WHEN 'cancelled' THEN 'cancelled'
  WHEN 'campaign cancelled' THEN 'campaign_cancelled'
  WHEN 'campaign failed' THEN 'campaign_failed'
  WHEN 'contact deleted' THEN 'contact_deleted'
  WHEN 'the message was deleted' THEN 'message_deleted'
  WHEN 'the sender domain was deleted' THEN 'sender_domain_deleted'
  WHEN 'internal error' THEN 'internal_error'
  ELSE 'content_invalid' END)
WHERE "name" = 'failed' AND "data" ? 'reason' AND NOT "data" ? 'reasonCode';
