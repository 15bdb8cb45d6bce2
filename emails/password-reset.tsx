import { Letter } from "./letter";

export const passwordResetSubject = "Set your Lettermill password";

export function PasswordReset({ url, email }: { url: string; email: string }) {
  return (
    <Letter
      title="Set a new password"
      preview="This link works once, for an hour."
      text={`Somebody, you we hope, asked to set the password of ${email}.`}
      action={{ label: "Set a password", url }}
      foot="The link works once, for an hour. If it was not you who asked, do nothing: the old password stays."
    />
  );
}
