import { Button, type ButtonVariant } from "@/components/ui/button";

/** A button that posts without a script: the link's token is the credential. */
export function LinkForm({
  action,
  fields = {},
  label,
  about,
  variant,
  size,
}: {
  action: string;
  fields?: Record<string, string>;
  label: string;
  /** What tells it from others with its label, for screen readers. */
  about?: string;
  variant?: ButtonVariant;
  size?: "sm" | "md" | "lg";
}) {
  return (
    <form method="post" action={action}>
      {Object.entries(fields).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <Button
        type="submit"
        {...(variant ? { variant } : {})}
        {...(size ? { size } : {})}
        className="max-w-full whitespace-normal"
      >
        <span className="min-w-0 break-words">
          {label}
          {about !== undefined && <span className="sr-only"> {about}</span>}
        </span>
      </Button>
    </form>
  );
}
