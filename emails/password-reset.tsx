import { Letter } from "./letter";

export const passwordResetSubject = "Set your Lettermill password";

export function PasswordReset({ url, email }: { url: string; email: string }) {
  return (
    <Letter
      title="Set a new password"
      preview="The link works once and expires in an hour."
      text={`Somebody, hopefully you, asked to set a new password for ${email}.`}
      action={{ label: "Set a password", url }}
      foot="The link works once and expires in an hour. If you did not ask for it, you can ignore this email: your password stays the same."
    />
  );
}
