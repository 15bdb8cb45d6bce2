import { Letter } from "./letter";

export const loginLinkSubject = "Your sign-in link for Lettermill";

export function LoginLink({ url, email }: { url: string; email: string }) {
  return (
    <Letter
      title="Sign in to Lettermill"
      preview="The link works once and expires in ten minutes."
      text={`Here is your link to sign in as ${email}.`}
      action={{ label: "Sign in", url }}
      foot="The link works once and expires in ten minutes. If you did not ask for it, you can ignore this email. Do not share the link with anyone."
    />
  );
}
