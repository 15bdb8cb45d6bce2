import { mailgun } from "./mailgun";
import { postmark } from "./postmark";
import { resend } from "./resend";
import { sendgrid } from "./sendgrid";

export const playedProviders = { resend, postmark, mailgun, sendgrid };
