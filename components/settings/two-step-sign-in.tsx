"use client";

import { useState } from "react";
import { messageOf } from "@/components/api/faults";
import { useApi } from "@/components/api/use-api";
import { useRead } from "@/components/api/use-read";
import { useAction } from "@/components/form/use-action";
import { NotUpToDate } from "@/components/list-page/not-up-to-date";
import { Button } from "@/components/ui/button";
import { Callout } from "@/components/ui/callout";
import { useLoaded } from "@/components/ui/deferred";
import { deferredDialog } from "@/components/ui/deferred-dialog";
import { Section } from "@/components/ui/page-header";
import { RelativeTime } from "@/components/ui/relative-time";
import type { SecondFactor, SecondFactorSetup } from "@/lib/domain/users/schema";
import { rich } from "@/components/ui/rich";
import { t } from "@/lib/ground/texts/t";
import { RecoveryCodesDialog } from "./recovery-codes-dialog";

const dialogs = () => import("./two-step-dialogs");
const ConnectApp = deferredDialog(async () => (await dialogs()).ConnectApp);
const RenewCodes = deferredDialog(async () => (await dialogs()).RenewCodes);
const SwitchOff = deferredDialog(async () => (await dialogs()).SwitchOff);

type Step =
  | { at: "connect"; setup: SecondFactorSetup }
  | { at: "codes"; codes: readonly string[] }
  | { at: "renew" }
  | { at: "disable" };

/** The reader's own two-step sign-in: whether it is on, and everything that changes it. */
export function TwoStepSignIn({ initial }: { initial: SecondFactor }) {
  const api = useApi();
  const [step, setStep] = useState<Step | null>(null);
  const state = useRead("GET /v1/second-factor", {}, { initial, every: 60_000 });
  const { enabled, since, recoveryCodesLeft, hasPassword } = state.data;
  const begin = useAction<SecondFactorSetup>({
    mutationFn: () => api("POST /v1/second-factor/begin", {}),
    onSuccess: (setup) => setStep({ at: "connect", setup }),
  });
  const close = () => setStep(null);
  useLoaded(ConnectApp);
  return (
    <Section
      title={t("Two-step sign-in")}
      description={t(
        "Signing in then also takes a code from an app on your phone, in all of your projects.",
      )}
    >
      <NotUpToDate of={state} />
      {begin.isError && (
        <Callout kind="danger" alert>
          {messageOf(begin.error)}
        </Callout>
      )}
      {enabled ? (
        <div className="flex max-w-xl flex-col gap-4">
          <p className="text-sm">
            {rich("On since {time}.", { time: <RelativeTime value={since} /> })}{" "}
            {t(
              "{left, plural, one {# of 10 recovery codes is left.} other {# of 10 recovery codes are left.}}",
              { left: recoveryCodesLeft },
            )}
          </p>
          {recoveryCodesLeft < 3 && (
            <Callout kind="warning">
              {t("Make new recovery codes: without one, losing your phone locks you out.")}
            </Callout>
          )}
          <div className="flex flex-wrap gap-2">
            <Button onClick={() => setStep({ at: "renew" })}>{t("Make new recovery codes")}</Button>
            <Button onClick={() => setStep({ at: "disable" })}>{t("Switch off")}</Button>
          </div>
        </div>
      ) : (
        <Button pending={begin.isPending} onClick={() => begin.mutate()}>
          {t("Switch on two-step sign-in")}
        </Button>
      )}
      {step?.at === "connect" && (
        <ConnectApp
          setup={step.setup}
          onClose={close}
          onConfirmed={(codes) => setStep({ at: "codes", codes })}
        />
      )}
      {step?.at === "codes" && <RecoveryCodesDialog codes={step.codes} onClose={close} />}
      {step?.at === "renew" && (
        <RenewCodes
          hasPassword={hasPassword}
          onRenewed={(codes) => setStep({ at: "codes", codes })}
          onClose={close}
        />
      )}
      {step?.at === "disable" && <SwitchOff hasPassword={hasPassword} onClose={close} />}
    </Section>
  );
}
