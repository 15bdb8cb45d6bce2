import type { BearerOperation } from "@/lib/doors/http/v1/operations";

/** A tool: an operation of the bearer API under the name that the contract gives it. */
export interface ToolDeclaration {
  name: string;
  title: string;
  operation: BearerOperation["name"];
  /** When to choose it, and what a model has to know to fill it in. */
  description: string;
  /** Changes nothing. */
  readOnly?: true;
  /** Removes something for good, or sends mail that cannot be called back. */
  destructive?: true;
  /** Doing it twice is the same as doing it once. */
  idempotent?: true;
  /** Sends mail that the audit log would not name otherwise. */
  sends?: true;
  /** The part of the answer that the tool returns; all of it unless set. */
  picks?: readonly string[];
  /** Its answer contains what other people wrote. */
  foreignText?: true;
  /** Asks for `confirm: true` before it reaches many people. */
  confirms?: true;
}

/** Every tool, in the order in which they are listed. */
export const toolDeclarations: readonly ToolDeclaration[] = [
  {
    name: "send_email",
    title: "Send an email",
    operation: "sendEmail",
    description:
      "Sends one transactional email to up to 100 people, at once or at scheduledAt. `from` must be at a domain that list_domains shows as VERIFIED. Give subject and body, or a template's id and data. For mail to many people use a campaign.",
    destructive: true,
    sends: true,
  },
  {
    name: "list_contacts",
    title: "List contacts",
    operation: "listContacts",
    description:
      "Lists contacts, newest first; search finds by address or name. Pass nextCursor as cursor for more.",
    readOnly: true,
    foreignText: true,
  },
  {
    name: "create_contact",
    title: "Create or update a contact",
    operation: "upsertContact",
    description:
      "Creates a contact, or updates the one with this address; fields left out stay as they are. `subscribed: true` only where the person agreed to get mail.",
    idempotent: true,
    foreignText: true,
  },
  {
    name: "update_contact",
    title: "Update a contact",
    operation: "updateContact",
    description:
      "Changes a contact by id (con_…) or address; fields left out stay as they are. list_contacts finds the id.",
    idempotent: true,
    foreignText: true,
  },
  {
    name: "delete_contact",
    title: "Delete a contact for good",
    operation: "deleteContact",
    description:
      "Erases a contact and its address everywhere. It cannot be undone. To stop mail to somebody, use update_contact with subscribed: false instead.",
    destructive: true,
    idempotent: true,
  },
  {
    name: "list_campaigns",
    title: "List campaigns",
    operation: "listCampaigns",
    description: "Lists campaigns with their figures, newest first, of one status if you name it.",
    readOnly: true,
  },
  {
    name: "create_campaign",
    title: "Create a campaign",
    operation: "createCampaign",
    description:
      "Creates a draft; nothing is sent. Without segmentId or listId it goes to everybody who is subscribed. subject, body and from are needed before it can be sent.",
  },
  {
    name: "send_campaign",
    title: "Send or schedule a campaign",
    operation: "sendCampaign",
    description:
      "Sends a draft at once, or at scheduledAt. To more than 100 people it first answers how many they are and sends nothing: ask the user, then call it again with confirm: true.",
    destructive: true,
    confirms: true,
    picks: ["id", "name", "status", "scheduledAt", "startedAt", "stats"],
  },
  {
    name: "get_campaign_stats",
    title: "Get a campaign's figures",
    operation: "getCampaign",
    description:
      "How a campaign is doing: recipients, sent, delivered, opened, clicked, bounced, complained, unsubscribed, and the rates.",
    readOnly: true,
    picks: ["id", "name", "status", "scheduledAt", "startedAt", "finishedAt", "stats"],
  },
  {
    name: "list_templates",
    title: "List templates",
    operation: "listTemplates",
    description: "Lists templates, newest first. Pass a template's id to send_email.",
    readOnly: true,
  },
  {
    name: "create_template",
    title: "Create a template",
    operation: "createTemplate",
    description:
      "Creates a template: HTML with Liquid placeholders such as {{ firstName }}, filled from the contact and from send_email's data.",
  },
  {
    name: "list_domains",
    title: "List sending domains",
    operation: "listDomains",
    description: "Lists sending domains with the state of their verification and DNS records.",
    readOnly: true,
  },
  {
    name: "add_domain",
    title: "Add a sending domain",
    operation: "createDomain",
    description:
      "Adds a domain to send from and returns the DNS records (DKIM, SPF, DMARC) to publish. Then call verify_domain.",
  },
  {
    name: "verify_domain",
    title: "Verify a sending domain",
    operation: "verifyDomain",
    description:
      "Looks up a domain's DNS records now and says for each what was found. New records may take minutes to appear; Lettermill keeps checking for 72 hours.",
    idempotent: true,
  },
  {
    name: "list_segments",
    title: "List segments",
    operation: "listSegments",
    description:
      "Lists segments with the number of contacts in them. Pass a segment's id to create_campaign.",
    readOnly: true,
  },
  {
    name: "list_webhooks",
    title: "List webhooks",
    operation: "listWebhooks",
    description: "Lists the addresses that are called for events, and which events.",
    readOnly: true,
  },
  {
    name: "create_webhook",
    title: "Create a webhook",
    operation: "createWebhook",
    description:
      "Registers an https address that is called for events such as email.delivered. The signing secret is in this answer only: pass it to the user.",
  },
];
