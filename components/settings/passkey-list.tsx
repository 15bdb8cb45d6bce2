"use client";

import { useState } from "react";
import { useRead } from "@/components/api/use-read";
import { NotUpToDate } from "@/components/list-page/not-up-to-date";
import { Button } from "@/components/ui/button";
import { Callout } from "@/components/ui/callout";
import { useLoaded } from "@/components/ui/deferred";
import { deferredDialog } from "@/components/ui/deferred-dialog";
import { Section } from "@/components/ui/page-header";
import { RelativeTime } from "@/components/ui/relative-time";
import { Cell, HeaderCell, Row, Table, TableHead } from "@/components/ui/table";
import type { Passkey, PasskeyList as PasskeyAnswer } from "@/lib/domain/users/passkey-schema";
import { t } from "@/lib/ground/texts/t";
import type { Proofs } from "./passkey-dialogs";

const dialogs = () => import("./passkey-dialogs");
const AddPasskey = deferredDialog(async () => (await dialogs()).AddPasskey);
const RenamePasskey = deferredDialog(async () => (await dialogs()).RenamePasskey);
const RemovePasskey = deferredDialog(async () => (await dialogs()).RemovePasskey);

type Step = "add" | { at: "rename" | "remove"; passkey: Passkey };

/** The reader's own passkeys, and everything that changes them. */
export function PasskeyList({ initial, proofs }: { initial: PasskeyAnswer; proofs: Proofs }) {
  const [step, setStep] = useState<Step | null>(null);
  const list = useRead("GET /v1/passkeys", {}, { initial, every: 60_000 });
  const { available, data: passkeys } = list.data;
  const close = () => setStep(null);
  useLoaded(AddPasskey, available);
  return (
    <Section
      title={t("Passkeys")}
      description={t(
        "Sign in with your fingerprint, face or screen lock: no password, and no code after it.",
      )}
      actions={
        available &&
        passkeys.length > 0 && <Button onClick={() => setStep("add")}>{t("Add a passkey")}</Button>
      }
    >
      <NotUpToDate of={list} />
      {!available && (
        <Callout kind="info">
          {t(
            "Passkeys need a host name and https. This installation’s address has to have both before browsers offer them.",
          )}
        </Callout>
      )}
      {available && passkeys.length === 0 && (
        <Button onClick={() => setStep("add")}>{t("Add a passkey")}</Button>
      )}
      {passkeys.length > 0 && <PasskeyTable passkeys={passkeys} onStep={setStep} />}
      {step === "add" && <AddPasskey proofs={proofs} onClose={close} />}
      {step !== null && step !== "add" && step.at === "rename" && (
        <RenamePasskey passkey={step.passkey} onClose={close} />
      )}
      {step !== null && step !== "add" && step.at === "remove" && (
        <RemovePasskey passkey={step.passkey} proofs={proofs} onClose={close} />
      )}
    </Section>
  );
}

function PasskeyTable({
  passkeys,
  onStep,
}: {
  passkeys: readonly Passkey[];
  onStep: (step: Step) => void;
}) {
  return (
    <Table label={t("Your passkeys")}>
      <TableHead>
        <HeaderCell>{t("Name")}</HeaderCell>
        <HeaderCell>{t("Last used")}</HeaderCell>
        <HeaderCell className="max-sm:hidden">{t("Added")}</HeaderCell>
        <HeaderCell>
          <span className="sr-only">{t("Actions")}</span>
        </HeaderCell>
      </TableHead>
      <tbody>
        {passkeys.map((passkey) => (
          <Row key={passkey.id}>
            <Cell className="font-medium wrap-anywhere">{passkey.name}</Cell>
            <Cell className="text-soft">
              {passkey.lastUsedAt === null ? (
                t("never")
              ) : (
                <RelativeTime value={passkey.lastUsedAt} />
              )}
            </Cell>
            <Cell className="text-soft max-sm:hidden">
              <RelativeTime value={passkey.createdAt} />
            </Cell>
            <Cell className="text-right">
              <span className="inline-flex flex-wrap justify-end gap-1">
                <Button
                  size="sm"
                  variant="ghost"
                  aria-label={t("Rename {name}", { name: passkey.name })}
                  onClick={() => onStep({ at: "rename", passkey })}
                >
                  {t("Rename")}
                </Button>
                <Button
                  size="sm"
                  variant="ghost"
                  aria-label={t("Remove {name}", { name: passkey.name })}
                  onClick={() => onStep({ at: "remove", passkey })}
                >
                  {t("Remove")}
                </Button>
              </span>
            </Cell>
          </Row>
        ))}
      </tbody>
    </Table>
  );
}
