/** Services that sign their customers' mail, or take its bounces, under domains of their own. */
const services: readonly (readonly [suffix: string, name: string])[] = [
  ["amazonses.com", "Amazon SES"],
  ["google.com", "Google"],
  ["gappssmtp.com", "Google Workspace"],
  ["onmicrosoft.com", "Microsoft 365"],
  ["outlook.com", "Microsoft 365"],
  ["sendgrid.net", "SendGrid"],
  ["mailgun.org", "Mailgun"],
  ["mtasv.net", "Postmark"],
  ["mcsv.net", "Mailchimp"],
  ["mandrillapp.com", "Mandrill"],
  ["mailjet.com", "Mailjet"],
  ["sparkpostmail.com", "SparkPost"],
  ["sendinblue.com", "Brevo"],
  ["brevosend.com", "Brevo"],
  ["hubspotemail.net", "HubSpot"],
  ["zendesk.com", "Zendesk"],
  ["zoho.com", "Zoho"],
  ["messagingengine.com", "Fastmail"],
  ["salesforce.com", "Salesforce"],
  ["shopifyemail.com", "Shopify"],
];

/** The service behind domains that passed a check; null when we know none of them. */
export function serviceOf(domains: readonly string[]): string | null {
  const service = services.find(([suffix]) =>
    domains.some((domain) => domain === suffix || domain.endsWith(`.${suffix}`)),
  );
  return service?.[1] ?? null;
}
