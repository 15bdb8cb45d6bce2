import { Letter } from "./letter";

export const loginLinkSubject = "Your link to sign in to Lettermill";

export function LoginLink({ url, email }: { url: string; email: string }) {
  return (
    <Letter
      title="Sign in"
      preview="This link works once, for ten minutes."
      text={`Here is the link that was asked for to sign in as ${email}.`}
      action={{ label: "Sign in", url }}
      foot="The link works once, for ten minutes. If it was not you who asked, do nothing, and show it to nobody."
    />
  );
}
