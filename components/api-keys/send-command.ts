/** A curl command, ready to be pasted into a shell, that sends one email. */
export function sendCommand({
  appUrl,
  key,
  sender,
}: {
  appUrl: string;
  key: string;
  /** Domain of the sender. */
  sender: string;
}): string {
  const body = {
    from: `hello@${sender}`,
    to: "ada@example.com",
    subject: "Hello from Lettermill",
    body: "<h1>It works</h1><p>Set, inked and pressed.</p>",
  };
  return [
    `curl ${appUrl}/v1/send \\`,
    `  -H "Authorization: Bearer ${key}" \\`,
    `  -H "Content-Type: application/json" \\`,
    `  -d '${JSON.stringify(body, null, 2)}'`,
  ].join("\n");
}
