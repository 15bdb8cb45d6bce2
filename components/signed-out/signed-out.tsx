"use client";

import { useProject } from "@/components/api/project-context";
import { sessionWatch } from "@/components/api/session-watch";
import { Button } from "@/components/ui/button";
import { useLoaded } from "@/components/ui/deferred";
import { Dialog } from "@/components/ui/dialog";
import { phrases, t } from "@/lib/ground/texts/t";
import { BarredPage, OthersPage } from "./lost-page";
import { SignInAgain } from "./deferred-sign-in";
import { useSessionWatch } from "./use-session-watch";

const titles = phrases({
  out: "You were signed out",
  other: "Somebody else is signed in",
  barred: "You can no longer open this project",
});

const notices = phrases({
  out: "You are signed out. What you write stays here, unsaved.",
  other: "Somebody else is signed in. Nothing here is saved.",
  barred: "You can no longer open this project. Nothing here is saved.",
});

/** Asks for the viewer's sign-in once their session has ended, and leaves the page as it is. */
export function SignedOut({ passkeys }: { passkeys: boolean }) {
  const { id, name, viewer } = useProject();
  const { standing, asking, open, focusBack } = useSessionWatch(id, viewer);
  useLoaded(SignInAgain);
  const { kind } = standing;
  // While the dialog closes, it shows what it did.
  const isOut = kind === "out" || kind === "in";
  const isAside = kind !== "in" && !asking;
  return (
    <>
      <div role="status" className="empty:hidden">
        {isAside && (
          <div className="fixed inset-x-4 bottom-4 z-30 mx-auto flex w-fit max-w-full flex-wrap items-center gap-x-4 gap-y-2 rounded-lg border border-rule-strong border-l-4 border-l-warning bg-sheet px-4 py-3 text-sm shadow-pop print:hidden">
            <span>{notices[kind]}</span>
            <Button size="sm" variant="primary" onClick={() => sessionWatch.ask()}>
              {kind === "out" ? t("Sign in") : t("What can I do?")}
            </Button>
          </div>
        )}
      </div>
      <Dialog
        open={open && kind !== "in"}
        onOpenChange={(wanted) => !wanted && sessionWatch.putAside()}
        keepOnOutsidePress
        above
        finalFocus={focusBack}
        description={
          isOut &&
          t("Everything on this page is still here. Sign in, and it goes on where it stopped.")
        }
        title={kind === "in" ? titles.out : titles[kind]}
        footer={<Button onClick={() => sessionWatch.putAside()}>{t("Not now")}</Button>}
      >
        <div data-signed-out className="flex flex-col gap-4">
          {kind === "other" && (
            <OthersPage sentence={standing.sentence} viewer={viewer} passkeys={passkeys} />
          )}
          {kind === "barred" && <BarredPage projectName={name} />}
          {isOut && <SignInAgain viewer={viewer} passkeys={passkeys} />}
        </div>
      </Dialog>
    </>
  );
}
