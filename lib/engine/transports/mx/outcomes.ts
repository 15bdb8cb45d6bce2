import type { Outcome } from "@/lib/mail/transport";
import type { Unavailable } from "@/lib/engine/transports/smtp-client/client-connection";
import { unproved, type Route } from "@/lib/mail/receiving-hosts/receiving-hosts";

/** Why a host was given no mail. */
export interface HostFault {
  host: string;
  fault: Unavailable;
}

const wordsOf = (faults: readonly HostFault[]) =>
  faults.map(({ host, fault }) => `${host}: ${fault.message.replace(/\.$/, "")}`).join("; ");

/** For a route that only name servers without any others speak for. */
export function doubted({ words }: { words: string }): Route & { kind: "unknown" } {
  const why = `${words} Nor do the name servers know any large provider, so they are not believed.`;
  return { kind: "unknown", enhancedCode: "4.4.3", words: why };
}

/** What it means for the mail that its domain has no servers, or that they are not known. */
export function undeliverable(domain: string, route: Exclude<Route, { kind: "hosts" }>): Outcome {
  const temporary = route.enhancedCode === unproved.enhancedCode ? unproved.code : 450;
  const code = route.kind === "none" ? 550 : temporary;
  const reply = { code, enhancedCode: route.enhancedCode, text: route.words };
  return { kind: "refused", stage: "recipient", receiver: domain, reply };
}

/** What it means for the mail that no host could be reached. */
export function unreached(domain: string, faults: readonly HostFault[]): Outcome {
  const refused = { kind: "refused", stage: "recipient", receiver: domain } as const;
  const greeted = faults.find(({ fault }) => (fault.why.reply?.code ?? 500) < 500);
  if (greeted?.fault.why.reply) {
    return { ...refused, receiver: greeted.host, reply: greeted.fault.why.reply };
  }
  if (faults.every(({ fault }) => fault.why.notPublic)) {
    const text = `The mail servers of ${domain} have no public address.`;
    return { ...refused, reply: { code: 550, enhancedCode: "5.4.4", text } };
  }
  // Where clear text will do, a server whose TLS fails is tried without.
  if (faults.some(({ fault }) => fault.why.tlsFailed)) {
    const text = `No mail server of ${domain} proved who it is. ${wordsOf(faults)}.`;
    return { ...refused, reply: { ...unproved, text: text.slice(0, 2000) } };
  }
  const text = `No mail server of ${domain} could be reached. ${wordsOf(faults)}.`.slice(0, 2000);
  return { ...refused, reply: { code: 450, enhancedCode: "4.4.1", text } };
}

/** Why a test found nobody to send to. */
export function unknownWords(faults: readonly HostFault[]): string {
  return `The name servers of this machine know no large provider, so no receiver can be found. ${wordsOf(faults)}.`;
}

/** Why a test reached nobody. */
export function closedWords(port: number, faults: readonly HostFault[]): string {
  return `Port ${port} does not lead out of this machine, so no receiver can be reached. Many hosting providers and almost all home connections close it: ask yours to open it, or send through a mail server. ${wordsOf(faults)}.`;
}
