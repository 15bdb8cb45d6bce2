import { mailgun } from "./mailgun";
import { postmark } from "./postmark";
import { resend } from "./resend";
import { sendgrid } from "./sendgrid";
import { ses } from "./ses";

export const playedProviders = { ses, resend, postmark, mailgun, sendgrid };
