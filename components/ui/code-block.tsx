import { CopyButton } from "./copy-button";

/** Code or a command to paste, with its copy button; long lines scroll inside. */
export function CodeBlock({
  code,
  label,
  wrap = false,
}: {
  code: string;
  /** Names it: `curl command`. */
  label: string;
  wrap?: boolean;
}) {
  return (
    <div className="flex items-start rounded-md border border-rule bg-sunken">
      <pre
        role="region"
        aria-label={label}
        tabIndex={0}
        className={
          wrap
            ? "max-h-128 min-w-0 grow overflow-y-auto py-3 pr-2 pl-4 font-mono text-xs leading-5 wrap-anywhere whitespace-pre-wrap"
            : "max-h-128 min-w-0 grow overflow-auto py-3 print:max-h-none print:wrap-anywhere print:whitespace-pre-wrap pr-2 pl-4 font-mono text-xs leading-5"
        }
      >
        <code>{code}</code>
      </pre>
      <CopyButton text={code} what={label} className="m-1.5 shrink-0 print:hidden" />
    </div>
  );
}
