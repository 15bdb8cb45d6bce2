import {
  ProtocolError,
  ProtocolErrorCode,
  type GetPromptResult,
  type Prompt,
  type PromptMessage,
} from "@modelcontextprotocol/server";
import { getEmail, listEmails } from "@/lib/domain/emails/read";
import { listSegments } from "@/lib/domain/segments/segments";
import { listDomains } from "@/lib/domain/sending-domains/domains";
import { requireRole, type Context } from "@/lib/ground/context";
import { dataNotice } from "./notice";

type PromptArguments = Readonly<Record<string, string | undefined>>;

interface PromptDeclaration {
  listed: Prompt & { arguments: NonNullable<Prompt["arguments"]> };
  /** What the person asks the assistant for. */
  messages: (ctx: Context, values: PromptArguments) => Promise<PromptMessage[]>;
}

const mostShown = 50;
const mostEmails = 5;
const longestArgument = 1_000;

const said = (text: string): PromptMessage => ({ role: "user", content: { type: "text", text } });

const data = (title: string, value: unknown): PromptMessage =>
  said(`${title}\n${dataNotice}\n${JSON.stringify(value)}`);

async function writeCampaign(ctx: Context, { about = "", segment, from }: PromptArguments) {
  const [domains, segments] = await Promise.all([
    listDomains(ctx, { limit: mostShown, status: "VERIFIED" }),
    listSegments(ctx, { limit: mostShown }),
  ]);
  return [
    said(
      [
        `Write an email campaign about: ${about}`,
        segment
          ? `It goes to the segment ${segment}.`
          : "Ask me whether it goes to everybody who is subscribed or to one of the segments below.",
        from ? `It is sent from ${from}.` : "Ask me which address it is sent from.",
        "Propose three subject lines of at most 60 characters, and one body: plain words, one thought a paragraph, one thing to do, HTML without scripts or remote fonts, alt text for every picture, and {{ unsubscribeUrl }} where it ends.",
        "Personalise with {{ firstName | default: 'there' }} and nothing that you have not seen in the contacts.",
        "Once I have chosen, call create_campaign, tell me its id, and send nothing until I say so. Then call send_campaign, and read me what it finds before you confirm.",
      ].join("\n"),
    ),
    data("Domains that may be sent from, and the segments there are.", {
      domains: domains.data.map(({ name }) => name),
      segments: segments.data.map(({ id, name, contactCount }) => ({ id, name, contactCount })),
    }),
  ];
}

async function emailsOf(ctx: Context, email: string) {
  if (/^em_/.test(email)) return [await getEmail(ctx, email)];
  const { data: emails } = await listEmails(ctx, { limit: mostEmails, search: email });
  return Promise.all(emails.map(({ id }) => getEmail(ctx, id)));
}

async function explainDelivery(ctx: Context, { email = "" }: PromptArguments) {
  const records = await emailsOf(ctx, email);
  return [
    said(
      [
        `Explain in plain words why an email was not delivered: ${email}`,
        "Below is what Lettermill recorded, newest email first. Name the cause, quote the mail server where it said something, and say who can mend it: I, the recipient, or their provider.",
        "A permanent bounce or a spam report stops all mail to that address: do not suggest sending again. Where my domain or its records are the cause, look with verify_domain.",
        records.length === 0
          ? "There is no email to that address: say so, and ask for another."
          : "",
      ]
        .filter(Boolean)
        .join("\n"),
    ),
    ...(records.length > 0 ? [data("The emails and what happened to them.", records)] : []),
  ];
}

async function checkDomain(ctx: Context, { domain = "" }: PromptArguments) {
  const { data: domains } = await listDomains(ctx, { limit: mostShown, search: domain });
  const exact = domains.find(({ name, id }) => name === domain.toLowerCase() || id === domain);
  return [
    said(
      [
        `Check the DNS records of the sending domain ${domain}.`,
        exact
          ? "Call verify_domain with its id to look them up now. For each record say whether it is right; for those that are not, give type, name and value to publish, as I would enter them at a DNS provider, and what the mistake was."
          : "It is not a sending domain of this project: ask me whether to add it with add_domain.",
      ].join("\n"),
    ),
    ...(exact ? [data("As of the last look:", exact)] : []),
  ];
}

const declarations: readonly PromptDeclaration[] = [
  {
    listed: {
      name: "write_campaign",
      title: "Write a campaign",
      description: "Drafts an email campaign with you, and creates it once you agree.",
      arguments: [
        { name: "about", description: "What it is about.", required: true },
        { name: "segment", description: "Name or id of the segment it goes to." },
        { name: "from", description: "The sender's address." },
      ],
    },
    messages: writeCampaign,
  },
  {
    listed: {
      name: "explain_delivery",
      title: "Explain why an email was not delivered",
      description: "Says in plain words what became of an email, and what can be done.",
      arguments: [
        {
          name: "email",
          description: "The recipient's address, or the email's id (em_…).",
          required: true,
        },
      ],
    },
    messages: explainDelivery,
  },
  {
    listed: {
      name: "check_domain",
      title: "Check a domain's DNS records",
      description: "Looks the records up, and says what to publish or mend.",
      arguments: [{ name: "domain", description: "The sending domain.", required: true }],
    },
    messages: checkDomain,
  },
];

export const prompts: readonly Prompt[] = declarations.map(({ listed }) => listed);

/** A prompt with its arguments. Throws ProtocolError for an unknown one, or arguments it does not take. */
export async function getPrompt(
  ctx: Context,
  name: string,
  values: PromptArguments = {},
): Promise<GetPromptResult> {
  requireRole(ctx, "viewer");
  const fault = (message: string) => new ProtocolError(ProtocolErrorCode.InvalidParams, message);
  const declaration = declarations.find(({ listed }) => listed.name === name);
  if (!declaration) throw fault(`There is no prompt ${name}.`);
  const { arguments: declared, description } = declaration.listed;
  const missing = declared.find((argument) => argument.required && !values[argument.name]?.trim());
  if (missing) throw fault(`The prompt ${name} needs the argument ${missing.name}.`);
  for (const [key, value] of Object.entries(values)) {
    if (!declared.some((argument) => argument.name === key)) {
      throw fault(`The prompt ${name} has no argument ${key}.`);
    }
    if ((value?.length ?? 0) > longestArgument) {
      throw fault(`The argument ${key} is longer than ${longestArgument} characters.`);
    }
  }
  return {
    ...(description ? { description } : {}),
    messages: await declaration.messages(ctx, values),
  };
}
