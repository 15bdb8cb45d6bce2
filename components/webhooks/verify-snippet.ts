/** A receiver in JavaScript that checks the signature. */
export function verifySnippet(secret: string): string {
  return `import { Webhook } from "standardwebhooks"; // npm install standardwebhooks

const webhook = new Webhook("${secret}");

// body: the request's text as it came, before it is parsed
export function receive(body, headers) {
  const { type, data } = webhook.verify(body, headers); // throws when it is not from here
  console.log(type, data);
}`;
}
