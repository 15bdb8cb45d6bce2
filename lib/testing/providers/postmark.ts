import { bare, jsonOf, uuidOf, type PlayedProvider } from "./played-provider";

interface PostmarkMail {
  To: string;
  Metadata: Record<string, string>;
  Attachments: { Name: string; Content: string; ContentID?: string }[];
  Headers: { Name: string; Value: string }[];
  HtmlBody: string;
  TextBody: string;
}

export const postmark: PlayedProvider = {
  endpoint: "postmark",
  input: { kind: "postmark", apiKey: "server-token" },
  takes: ({ method, path }) => method === "POST" && path === "/email",
  answer: (_, index) => ({
    status: 200,
    json: { ErrorCode: 0, Message: "OK", MessageID: uuidOf(index) },
  }),
  mail: (call, index) => {
    const json = jsonOf(call) as PostmarkMail;
    return Promise.resolve({
      to: bare(json.To),
      id: json.Metadata["lettermill-id"] ?? "",
      providerId: uuidOf(index),
      attachments: json.Attachments.map(({ Name, Content, ContentID }) => ({
        name: Name,
        content: Buffer.from(Content, "base64"),
        contentId: ContentID?.replace(/^cid:/, "") ?? null,
      })),
      headers: Object.fromEntries(json.Headers.map(({ Name, Value }) => [Name, Value])),
      html: json.HtmlBody,
      text: json.TextBody,
    });
  },
  event: (happening, { id, providerId, to }) => {
    const named = { MessageID: providerId, Metadata: { "lettermill-id": id }, ServerID: 23 };
    const bounce = (Type: string, Details: string) => ({
      RecordType: "Bounce",
      Type,
      Details,
      Email: to,
      ...named,
    });
    return {
      delivered: { RecordType: "Delivery", Recipient: to, Details: "250 OK", ...named },
      bounced: bounce("HardBounce", "smtp;550 5.1.1 No such user"),
      soft: bounce("SoftBounce", "smtp;552 5.2.2 Mailbox full"),
      delayed: bounce("Transient", "smtp;451 4.7.1 Try again later"),
      complained: { RecordType: "SpamComplaint", Type: "SpamComplaint", Email: to, ...named },
      opened: { RecordType: "Open", Recipient: to, ...named },
    }[happening];
  },
  call: (event, webhookUrl, wrong = false) => {
    const { username, password } = new URL(webhookUrl);
    const credentials = `${username}:${wrong ? "wrong" : password}`;
    return {
      body: JSON.stringify(event),
      headers: { authorization: `Basic ${Buffer.from(credentials).toString("base64")}` },
    };
  },
  refusesKey: {
    status: 401,
    json: { ErrorCode: 10, Message: "The server token you provided is invalid." },
  },
  acceptsKey: { status: 200, json: { Name: "Server" } },
  anotherKey: { apiKey: "another" },
};
