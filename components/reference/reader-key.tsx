"use client";

import { KeyRound, X } from "lucide-react";
import { useState, useSyncExternalStore, type FormEvent } from "react";
import { messageOf } from "@/components/api/faults";
import { useApi } from "@/components/api/use-api";
import { useMay, useProject } from "@/components/api/project-context";
import { useAction } from "@/components/form/use-action";
import { Button } from "@/components/ui/button";
import { CodeBlock } from "@/components/ui/code-block";
import { Field, Input } from "@/components/ui/field";
import { rich } from "@/components/ui/rich";
import { toast } from "@/components/ui/toast";
import { t } from "@/lib/ground/texts/t";

/** The placeholder for a key in the examples. */
const placeholder = "$LETTERMILL_API_KEY";
/** Nothing else may get into a line that somebody pastes into a shell. */
const keyForm = /^sk_(live|test)_[0-9A-Za-z]{38}$/;
const changed = "lettermill:reader-key";

function subscribe(onChange: () => void): () => void {
  window.addEventListener(changed, onChange);
  return () => window.removeEventListener(changed, onChange);
}

/** The reader's key for the examples, kept in this tab until it is closed; the server never has it. */
function useReaderKey(): [key: string | null, keep: (key: string | null) => void] {
  const { id } = useProject();
  const name = `lettermill.reader-key.${id}`;
  const read = () => {
    const stored = sessionStorage.getItem(name);
    return stored !== null && keyForm.test(stored) ? stored : null;
  };
  const key = useSyncExternalStore(subscribe, read, () => null);
  const keep = (next: string | null) => {
    if (next === null) sessionStorage.removeItem(name);
    else sessionStorage.setItem(name, next);
    window.dispatchEvent(new Event(changed));
  };
  return [key, keep];
}

/** An example, with the reader's key in it where there is one. */
export function KeyExample({ code, label }: { code: string; label: string }) {
  const [key] = useReaderKey();
  return <CodeBlock code={key ? code.replaceAll(placeholder, key) : code} label={label} />;
}

/** Where the reader puts the key that the examples show. */
export function ReaderKey({
  hint = t(
    "The examples will use it, and it never leaves this tab. Without one, they read LETTERMILL_API_KEY from the environment.",
  ),
  keyName = t("API reference"),
}: {
  hint?: string;
  /** What a key that is made here is called. */
  keyName?: string;
}) {
  const [key, keep] = useReaderKey();
  const api = useApi();
  const may = useMay("admin");
  const [typed, setTyped] = useState("");
  const [isWrong, setWrong] = useState(false);
  /** The field forgets what was typed, right or wrong: it reappears once the key is forgotten. */
  const keepOnly = (next: string) => {
    keep(next);
    setTyped("");
    setWrong(false);
  };
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    // Also what was pasted before the page's scripts ran.
    const field = event.currentTarget.elements.namedItem("key");
    if (!(field instanceof HTMLInputElement)) return;
    const entered = field.value.trim();
    if (keyForm.test(entered)) return keepOnly(entered);
    setTyped(field.value);
    setWrong(true);
    field.focus();
  };
  const create = useAction({
    mutationFn: () =>
      api("POST /v1/api-keys", { body: { name: keyName, scope: "full", mode: "test" } }),
    onSuccess: (created) => {
      keepOnly(created.key);
      toast.success(t("The examples now use a test key"), {
        description: t(
          "Mail they send ends up in the captured mailbox. The key is forgotten when you close this tab.",
        ),
      });
    },
    onError: (error) =>
      toast.error(t("The key was not created"), { description: messageOf(error) }),
  });
  return (
    <section
      aria-label={t("Key in the examples")}
      className="rounded-md border border-rule-strong bg-sheet px-4 py-3.5"
    >
      {key ? (
        <div className="flex flex-wrap items-center gap-x-3 gap-y-2 text-sm">
          <KeyRound className="size-4 text-success" aria-hidden />
          <p className="min-w-0 flex-1">
            {rich("The examples use the key {key} in this tab only.", {
              key: (
                <code className="font-mono text-xs">
                  {key.slice(0, 8)}…{key.slice(-4)}
                </code>
              ),
            })}
          </p>
          <Button size="sm" onClick={() => keep(null)}>
            <X aria-hidden /> {t("Forget the key")}
          </Button>
        </div>
      ) : (
        <form noValidate onSubmit={submit} className="flex flex-wrap items-start gap-2">
          <Field
            label={t("Your API key")}
            name="key"
            hint={hint}
            error={
              isWrong ? t("This is not an API key. Keys begin with sk_live_ or sk_test_.") : null
            }
            className="min-w-60 flex-1"
          >
            <Input
              value={typed}
              onChange={({ target }) => {
                setTyped(target.value);
                setWrong(false);
              }}
              type="password"
              autoComplete="off"
              spellCheck={false}
              placeholder="sk_…"
              className="font-mono text-xs!"
            />
          </Field>
          <div className="flex flex-wrap gap-2 sm:pt-6.5">
            <Button type="submit" className="h-10!">
              {t("Use it")}
            </Button>
            {may && (
              <Button className="h-10!" pending={create.isPending} onClick={() => create.mutate()}>
                {t("Create a test key")}
              </Button>
            )}
          </div>
        </form>
      )}
    </section>
  );
}
