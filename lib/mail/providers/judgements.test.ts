import { expect, it } from "vitest";
import { mailgun } from "./mailgun";
import { postmark } from "./postmark";
import { resend } from "./resend";
import { sendgrid } from "./sendgrid";
import { ses } from "./ses";

const amazon = { region: "eu-central-1", key: { id: "AKIA", secret: "s" }, configurationSet: null };
const aws = (type: string, message: string) => ({ __type: type, message });
const providers = {
  ses: ses(amazon),
  resend: resend("key"),
  postmark: postmark("key", { messageStream: "outbound", campaignStream: "broadcast" }),
  mailgun: mailgun("key", { region: "us", sendingDomain: "mg.example.com" }),
  sendgrid: sendgrid("key"),
};
const sg = (message: string, field: string | null = null) => ({ errors: [{ message, field }] });

it.each([
  ["resend", 403, { name: "invalid_api_key", message: "API key is invalid" }, "login"],
  [
    "resend",
    403,
    { name: "validation_error", message: "The example.com domain is not verified." },
    "sender 550",
  ],
  ["resend", 422, { name: "validation_error", message: "Invalid `to` field." }, "recipient 553"],
  [
    "resend",
    422,
    { name: "missing_required_field", message: "Missing `subject` field." },
    "message 554",
  ],
  ["resend", 429, { name: "daily_quota_exceeded", message: "Daily quota" }, "message 451"],
  ["resend", 409, { name: "concurrent_idempotent_requests", message: "Same key" }, "message 450"],
  ["postmark", 401, { ErrorCode: 10, Message: "Bad or missing Server API token." }, "login"],
  [
    "postmark",
    422,
    { ErrorCode: 400, Message: "The Sender Signature was not found." },
    "sender 550",
  ],
  [
    "postmark",
    422,
    { ErrorCode: 406, Message: "You tried to send to inactive recipients." },
    "recipient 550",
  ],
  ["postmark", 422, { ErrorCode: 300, Message: "Invalid 'To' address: 'x@'." }, "recipient 553"],
  ["postmark", 422, { ErrorCode: 405, Message: "Not allowed to send." }, "message 451"],
  ["postmark", 422, { ErrorCode: 300, Message: "Invalid email request" }, "message 554"],
  ["mailgun", 401, { message: "Invalid private key" }, "login"],
  ["mailgun", 404, { message: "Domain not found: mg.example.com" }, "sender 550"],
  ["mailgun", 403, { message: "Domain mg.example.com is not allowed to send" }, "sender 550"],
  ["mailgun", 400, { message: "to parameter is not a valid address" }, "recipient 553"],
  ["mailgun", 402, { message: "Payment required" }, "message 451"],
  ["sendgrid", 401, sg("The provided authorization grant is invalid"), "login"],
  ["sendgrid", 401, sg("Maximum credits exceeded"), "message 451"],
  [
    "sendgrid",
    403,
    sg("The from address does not match a verified Sender Identity."),
    "sender 550",
  ],
  ["sendgrid", 403, sg("access forbidden"), "login"],
  [
    "sendgrid",
    400,
    sg("Does not contain a valid address.", "personalizations.0.to.0.email"),
    "recipient 553",
  ],
  ["sendgrid", 413, sg("Payload too large"), "message 552"],
  ["sendgrid", 503, null, "message 451"],
  ["ses", 400, aws("AccountSuspendedException", "Suspended"), "login"],
  ["ses", 400, aws("SendingPausedException", "Sending is paused for this account"), "login"],
  ["ses", 403, aws("UnrecognizedClientException", "The security token is invalid."), "login"],
  ["ses", 403, aws("AccessDeniedException", "not authorized to perform: ses:SendEmail"), "login"],
  [
    "ses",
    403,
    aws("AccessDeniedException", "on resource `arn:aws:ses:eu-central-1:1:identity/example.com'"),
    "sender 550",
  ],
  ["ses", 404, aws("NotFoundException", "Configuration set <x> does not exist."), "login"],
  ["ses", 429, aws("TooManyRequestsException", "Too many requests"), "message 451"],
  ["ses", 400, aws("ThrottlingException", "Rate exceeded"), "message 451"],
  ["ses", 400, aws("Throttling", "Maximum sending rate exceeded."), "message 451"],
  ["ses", 400, aws("LimitExceededException", "Daily message quota exceeded."), "message 451"],
  ["ses", 500, aws("InternalFailure", "Internal error"), "message 451"],
  ["ses", 400, aws("MailFromDomainNotVerifiedException", "MAIL FROM"), "sender 550"],
  [
    "ses",
    400,
    aws("com.amazonaws#MessageRejected", "Email address is not verified: shop@example.com"),
    "sender 550",
  ],
  ["ses", 400, aws("MessageRejected", "Message contains a virus."), "message 554"],
  ["ses", 400, aws("BadRequestException", "Missing final '@domain'"), "recipient 553"],
  ["ses", 400, aws("BadRequestException", "Local address contains control"), "recipient 553"],
  ["ses", 400, aws("BadRequestException", "Domain contains dot-dot"), "recipient 553"],
  ["ses", 400, aws("BadRequestException", "Missing required header 'From'."), "message 554"],
  ["ses", 413, aws("RequestEntityTooLarge", "Too large"), "message 552"],
] as const)("%s: %i %j is %s", (kind, status, json, expected) => {
  const answer = { status, json, headers: {}, text: JSON.stringify(json) };
  const outcome = providers[kind].judge(answer);
  const told =
    outcome.kind === "refused"
      ? `${outcome.stage} ${outcome.reply.code}`
      : outcome.kind === "unavailable" && outcome.loginRefused
        ? "login"
        : outcome.kind;
  expect(told).toBe(expected);
});
