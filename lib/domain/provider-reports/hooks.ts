import type { ConnectionKind } from "@/db/enums";
import { mailgunHook } from "./mailgun";
import { postmarkHook } from "./postmark";
import type { ProviderHook, ReportReader } from "./provider-report";
import { resendHook } from "./resend";
import { sendgridHook } from "./sendgrid";
import { sesReports } from "./ses";

/** null: it reports in another way, such as by mail. */
export const hooks = {
  smtp: null,
  mx: null,
  // Amazon SNS brings its events.
  ses: sesReports,
  resend: resendHook,
  postmark: postmarkHook,
  mailgun: mailgunHook,
  sendgrid: sendgridHook,
} satisfies Record<ConnectionKind, ProviderHook | ReportReader | null>;
