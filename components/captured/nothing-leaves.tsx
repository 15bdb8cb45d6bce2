import { useProject, useProjectPath } from "@/components/api/project-context";
import { Callout } from "@/components/ui/callout";
import { Link, textLink } from "@/components/ui/link";
import { rich } from "@/components/ui/rich";

/** Where mail is while the installation captures it, and how that ends. */
export function NothingLeaves() {
  const path = useProjectPath();
  return rich(
    "So far nothing leaves this installation: all mail is kept in the <link>captured mailbox</link>. Whoever runs it names a mail server (<code>MAIL_TRANSPORT</code>, <guide>how</guide>).",
    {
      link: (words) => (
        <Link href={path("captured")} className={textLink}>
          {words}
        </Link>
      ),
      code: (words) => <code className="font-mono text-xs">{words}</code>,
      guide: (words) => (
        <Link href="/docs/self-hosting" className={textLink}>
          {words}
        </Link>
      ),
    },
  );
}

/** Says so before somebody sends, and waits in vain for the mail to arrive; nothing where mail goes out. */
export function CaptureNote() {
  const { capturing } = useProject();
  return capturing ? (
    <Callout kind="info">
      <NothingLeaves />
    </Callout>
  ) : null;
}

/** Says at figures of mail how far it came; nothing where mail goes out. */
export function CapturedFigures() {
  const { capturing } = useProject();
  const path = useProjectPath();
  return capturing ? (
    <p className="mb-4 text-sm text-soft">
      {rich(
        "Mail is captured here: “delivered” means that it is in the <link>captured mailbox</link>. Nobody outside has received it.",
        {
          link: (words) => (
            <Link href={path("captured")} className={textLink}>
              {words}
            </Link>
          ),
        },
      )}
    </p>
  ) : null;
}
