import { isIP } from "node:net";
import { createResolver } from "@/lib/ground/dns/resolver";
import { reverseNames } from "@/lib/ground/dns/reverse";
import { resolverFault } from "@/lib/ground/dns/validating-resolver";
import { env } from "@/lib/ground/env/env";

const mostAddresses = 8;

/** What a test says of this machine: its identity, and what is wrong with its resolver. Never throws. */
export async function machineWords(): Promise<string> {
  const [identity, fault] = await Promise.all([identityWords(), resolverFault()]);
  return fault === null ? identity : `${identity}\n${fault}`;
}

/**
 * What receivers find out about this machine, in sentences: whether the reverse DNS of the addresses of SENDING_IPS is
 * MAIL_HOSTNAME, and whether that name leads back.
 */
async function identityWords(): Promise<string> {
  const { SENDING_IPS } = env();
  const hostname = env().MAIL_HOSTNAME.toLowerCase().replace(/\.$/, "");
  const addresses = SENDING_IPS.filter((entry) => isIP(entry) !== 0).slice(0, mostAddresses);
  if (addresses.length === 0) {
    return `SENDING_IPS names no single address, so whether its reverse DNS is ${hostname} was not checked.`;
  }
  const [names, forward] = await Promise.all([
    reverseNames(addresses),
    createResolver().addresses(hostname),
  ]);
  const leads = forward.kind === "found" ? forward.values : [];
  const faults = addresses.flatMap((address) => {
    const name = names.get(address);
    if (name === undefined) return [`${address} has no reverse DNS`];
    if (name !== hostname) return [`the reverse DNS of ${address} is ${name}, not ${hostname}`];
    return leads.includes(address) ? [] : [`${hostname} does not lead to ${address}`];
  });
  return faults.length === 0
    ? `Reverse DNS is in order: ${addresses.join(", ")} is ${hostname}.`
    : `Many receivers will refuse mail: ${faults.join("; ")}.`;
}
