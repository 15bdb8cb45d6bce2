import { phrases, t } from "@/lib/ground/texts/t";
import { figure, target, text, type Details } from "./details";

/* The log's longer sentences about signing in and about the people of a project. */

const signedInBy: Readonly<Record<string, string>> = phrases({
  password: "with a password",
  link: "with a one-time link",
  invitation: "by accepting an invitation",
  platformToken: "with a link made by a platform token",
  passkey: "with a passkey",
  identity: "with an account at the identity provider",
});

export function signedIn({ by, second }: Details): string {
  const how = signedInBy[text(by)];
  if (how === undefined) return t("signed in");
  if (second === "code") return t("signed in {how} and a code of the authenticator app", { how });
  if (second === "recoveryCode") return t("signed in {how} and a recovery code", { how });
  return t("signed in {how}", { how });
}

const linkFaults: Readonly<Record<string, string>> = phrases({
  used: "that had been used before",
  expired: "that had expired",
  otherPurpose: "made for something else",
});

const identityFaults: Readonly<Record<string, string>> = phrases({
  unverified:
    "tried to sign in as {} with an account at the identity provider whose address is not confirmed there",
  foreign:
    "tried to sign in as {} with an account at the identity provider whose address may not sign in that way",
  taken: "tried to sign in as {} with an account at the identity provider that is not theirs",
});

const refusedBy: Readonly<Record<string, string>> = phrases({
  account: "gave a wrong code or password for two-step sign-in",
  password: "tried to sign in as {} with a wrong password",
  secondFactor: "tried to sign in as {} with the first step right and a wrong code",
  passkey: "tried to sign in as {} with a passkey that was not accepted",
});

export function refusedSignIn({ by, purpose, reason }: Details): string {
  if (by === "link") {
    const fault = linkFaults[text(reason)] ?? t("that does not work");
    return purpose === "password_reset"
      ? t("tried to reset the password of {target} with a one-time link {fault}", { target, fault })
      : t("tried to sign in as {target} with a one-time link {fault}", { target, fault });
  }
  if (by === "identity") {
    return (
      identityFaults[text(reason)] ??
      t("tried to sign in as {} with an account at the identity provider")
    );
  }
  return refusedBy[text(by)] ?? t("tried to sign in as {}, without success");
}

const providerNamed = (name: unknown): string => text(name) || t("an identity provider");

export function endedSessions({ by, sessions }: Details): string {
  const count = figure(sessions);
  if (by === "signOut") return t("signed out");
  return count === null
    ? t("ended some sessions")
    : t("ended {count, plural, one {# session} other {# sessions}}", { count });
}

export function usedRecoveryCode({ left }: Details): string {
  const count = figure(left);
  return count === null
    ? t("used a recovery code; some are left")
    : t("used a recovery code; {count, plural, one {# is} other {# are}} left", { count });
}

export function addedPasskey({ name }: Details): string {
  return text(name) ? t("added the passkey {name}", { name: text(name) }) : t("added a passkey");
}

export function renamedPasskey({ name }: Details): string {
  return text(name)
    ? t("renamed the passkey {name}", { name: text(name) })
    : t("renamed a passkey");
}

export function removedPasskey({ name }: Details): string {
  return text(name)
    ? t("removed the passkey {name}", { name: text(name) })
    : t("removed a passkey");
}

export function linkedIdentity({ provider }: Details): string {
  return t("linked their account at {provider} by signing in with it", {
    provider: providerNamed(provider),
  });
}

export function unlinkedIdentity({ by, provider: name }: Details): string {
  const provider = providerNamed(name);
  return by === "operator"
    ? t("unlinked the account of {target} at {provider}, on the server", { target, provider })
    : t("unlinked their account at {provider}", { provider });
}

const roleWords: Readonly<Record<string, string>> = phrases({
  owner: "owner",
  admin: "admin",
  editor: "editor",
  viewer: "viewer",
});

/** A role in a sentence; undefined where none was recorded. */
const roleNamed = (role: unknown): string | undefined => roleWords[text(role)];

export function changedRole(details: Details): string {
  const [role, before] = [roleNamed(details["role"]), roleNamed(details["before"])];
  if (role === undefined) return t("changed the role of {}");
  return before === undefined
    ? t("changed the role of {target} to {role}", { target, role })
    : t("changed the role of {target} to {role} (was {before})", { target, role, before });
}

export function leftProject({ left, role: had }: Details): string {
  const role = roleNamed(had);
  if (left === true) {
    return role === undefined
      ? t("left the project")
      : t("left the project (was {role})", { role });
  }
  return role === undefined
    ? t("took {} out of the project")
    : t("took {target} out of the project (was {role})", { target, role });
}

export function invited(details: Details): string {
  const [email, role] = [text(details["email"]) || target, roleNamed(details["role"])];
  return role === undefined
    ? t("invited {email}", { email })
    : t("invited {email} as {role}", { email, role });
}

export function withdrewInvitation({ email }: Details): string {
  return text(email)
    ? t("withdrew the invitation of {email}", { email: text(email) })
    : t("withdrew the invitation of somebody");
}

export function acceptedInvitation(details: Details): string {
  const role = roleNamed(details["role"]);
  return role === undefined
    ? t("accepted an invitation")
    : t("accepted an invitation as {role}", { role });
}

export function declinedInvitation({ email }: Details): string {
  return text(email)
    ? t("declined an invitation sent to {email}", { email: text(email) })
    : t("declined an invitation");
}
