/** @jsxImportSource hono/jsx */
import type { FC, PropsWithChildren } from "hono/jsx";
import type { Texts, TextKey } from "@/lib/ground/texts/texts";
import type { Visitor } from "./frame";

/** An address, which a narrow page breaks before the @ rather than within a name. */
const Breakable: FC<{ words: string }> = ({ words }) => {
  const at = words.lastIndexOf("@");
  if (at < 1) return <>{words}</>;
  return (
    <>
      {words.slice(0, at)}
      <wbr />
      {words.slice(at)}
    </>
  );
};

/** A text whose <b> stands out. */
export const Rich: FC<{ texts: Texts; of: TextKey; values: Record<string, string> }> = (props) => (
  <>
    {props.texts.rich(props.of, props.values, (words) => (
      <strong>
        <Breakable words={words} />
      </strong>
    ))}
  </>
);

export const HiddenFields: FC<{ visitor: Visitor; fields?: Record<string, string> }> = (props) => (
  <>
    {Object.entries({
      ...props.fields,
      ...(props.visitor.chosen === null ? {} : { lang: props.visitor.chosen }),
    }).map(([name, value]) => (
      <input type="hidden" name={name} value={value} />
    ))}
  </>
);

/** A button that posts: the link's token is the credential. `about`: what tells it apart from others, in full. */
export const PostButton: FC<{
  visitor: Visitor;
  action: string;
  fields?: Record<string, string>;
  label: string;
  about?: string;
  primary?: boolean;
}> = ({ visitor, action, fields = {}, label, about, primary = false }) => (
  <form method="post" action={action}>
    <HiddenFields visitor={visitor} fields={fields} />
    <button type="submit" {...(primary ? { class: "primary" } : {})} aria-label={about}>
      {label}
    </button>
  </form>
);

/** What just happened, or what stands in the way. */
export const Notice: FC<PropsWithChildren<{ warning?: boolean }>> = ({
  warning = false,
  children,
}) => (
  <div class={warning ? "notice warning" : "notice"} role={warning ? undefined : "alert"}>
    {children}
  </div>
);
