"use client";

import {
  startRegistration,
  WebAuthnAbortService,
  WebAuthnError,
  type PublicKeyCredentialCreationOptionsJSON,
} from "@simplewebauthn/browser";
import { useEffect, useState } from "react";
import { z } from "zod";
import { useApi } from "@/components/api/use-api";
import { useRead } from "@/components/api/use-read";
import { DialogForm } from "@/components/form/dialog-form";
import { useForm, type Form } from "@/components/form/use-form";
import { Field, Input } from "@/components/ui/field";
import { toast } from "@/components/ui/toast";
import { ApiError } from "@/lib/doors/http/client";
import {
  passkeyName,
  passkeyUpdate,
  type Passkey,
  type PasskeyMade,
} from "@/lib/domain/users/passkey-schema";
import { freshProof, type FreshProof, type SecondFactor } from "@/lib/domain/users/schema";
import { t } from "@/lib/ground/texts/t";
import { deviceOf } from "./device";
import { ProofField } from "./two-step-dialogs";

/** What the reader can prove their identity with; with neither, a new session is enough. */
export type Proofs = Pick<SecondFactor, "enabled" | "hasPassword">;

type ProofDraft = { code: string; password: string };

/** Which of the reader's proofs a form asks for, and its field. */
export function useProof(initial: Proofs) {
  // Another section of the page may have changed it since.
  const { enabled, hasPassword } = useRead("GET /v1/second-factor", {}).data ?? initial;
  const [by, setBy] = useState<"password" | "code">(enabled ? "code" : "password");
  const asks = enabled || hasPassword;
  return {
    of: (draft: ProofDraft) => (asks ? { [by]: draft[by] } : {}),
    field: (form: Pick<Form<ProofDraft>, "fault" | "text">, autoFocus = false) =>
      asks && (
        <ProofField
          form={form}
          by={by}
          onChange={setBy}
          hasPassword={hasPassword}
          hasApp={enabled}
          autoFocus={autoFocus}
        />
      ),
  };
}

/** Why the browser made no passkey, for a person. */
function refusalOf(error: unknown): string {
  const code = error instanceof WebAuthnError ? error.code : null;
  if (code === "ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED") {
    return t("This device already has a passkey of yours.");
  }
  if (code === "ERROR_AUTHENTICATOR_MISSING_USER_VERIFICATION_SUPPORT") {
    return t(
      "This device has no screen lock, fingerprint or PIN to ask for: set one up, or use another device.",
    );
  }
  return t("The browser has not made a passkey. Try again, or use another device.");
}

async function makePasskey(options: Record<string, unknown>) {
  const optionsJSON = options as unknown as PublicKeyCredentialCreationOptionsJSON;
  try {
    const { id, rawId, response } = await startRegistration({ optionsJSON });
    const { clientDataJSON, attestationObject, transports = [] } = response;
    const made: PasskeyMade["response"] = { clientDataJSON, attestationObject, transports };
    return { id, rawId, type: "public-key", response: made } as const;
  } catch (error) {
    throw new ApiError(0, "NOT_ALLOWED", refusalOf(error), [], undefined);
  }
}

const addInput = z.object({ name: passkeyName, proof: freshProof });

/** Asks who is asking, then has the browser make a passkey. */
export function AddPasskey({ proofs, onClose }: { proofs: Proofs; onClose: () => void }) {
  const api = useApi();
  const proof = useProof(proofs);
  // A browser that is left asking would add one after all, when the finger comes.
  useEffect(() => () => WebAuthnAbortService.cancelCeremony(), []);
  const form = useForm({
    initial: () => ({ name: deviceOf(navigator.userAgent), code: "", password: "" }),
    schema: addInput,
    input: ({ name, ...draft }) => ({ name, proof: proof.of(draft) }),
    check: (draft) => emptyProof(proof.of(draft)),
    places: ["name", "code", "password", "proof"],
    guard: false,
    leaves: true,
    send: async ({ name, proof: body }) => {
      const { options } = await api("POST /v1/passkeys/begin", { body });
      const response = await makePasskey(options);
      return api("POST /v1/passkeys", { body: { name, response } });
    },
    onSent: ({ name }) => {
      toast.success(t("“{name}” was added", { name }));
      onClose();
    },
  });
  return (
    <DialogForm
      keepOpen
      title={t("Add a passkey")}
      description={t(
        "Your browser then asks where to keep it: on this device, on your phone or on a security key.",
      )}
      action={t("Continue")}
      form={form}
      onClose={onClose}
    >
      <Field
        label={t("Name")}
        name="name"
        hint={t("So that you recognise it in the list.")}
        error={form.fault("name")}
      >
        <Input {...form.text("name")} maxLength={60} autoComplete="off" />
      </Field>
      {proof.field(form)}
    </DialogForm>
  );
}

/** The fault of a proof that was left empty. */
function emptyProof(proof: Partial<ProofDraft>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(proof)
      .filter(([, typed]) => typed.trim() === "")
      .map(([name]) => [name, t("This is required.")]),
  );
}

export function RenamePasskey({ passkey, onClose }: { passkey: Passkey; onClose: () => void }) {
  const api = useApi();
  const form = useForm({
    initial: { name: passkey.name },
    schema: passkeyUpdate,
    guard: false,
    leaves: true,
    send: (body) => api("PATCH /v1/passkeys/{id}", { params: { id: passkey.id }, body }),
    onSent: () => {
      toast.success(t("Passkey renamed"));
      onClose();
    },
  });
  return (
    <DialogForm title={t("Rename the passkey")} action={t("Save")} form={form} onClose={onClose}>
      <Field label={t("Name")} name="name" error={form.fault("name")}>
        <Input {...form.text("name")} maxLength={60} autoComplete="off" autoFocus />
      </Field>
    </DialogForm>
  );
}

/** Takes away one of the ways in which the reader signs in, once they have proved who they are. */
export function RemoveSignIn({
  proofs,
  remove,
  removed,
  onClose,
  ...words
}: {
  title: string;
  description: string;
  action: string;
  proofs: Proofs;
  remove: (proof: FreshProof) => Promise<unknown>;
  /** What is said then. */
  removed: string;
  onClose: () => void;
}) {
  const proof = useProof(proofs);
  const form = useForm({
    initial: { code: "", password: "" },
    schema: freshProof,
    input: proof.of,
    guard: false,
    leaves: true,
    send: remove,
    onSent: () => {
      toast.success(removed);
      onClose();
    },
  });
  return (
    <DialogForm danger {...words} cancel={t("Keep it")} form={form} onClose={onClose}>
      {proof.field(form, true)}
    </DialogForm>
  );
}

export function RemovePasskey({
  passkey,
  ...rest
}: {
  passkey: Passkey;
  proofs: Proofs;
  onClose: () => void;
}) {
  const api = useApi();
  return (
    <RemoveSignIn
      title={t("Remove “{name}”?", { name: passkey.name })}
      description={t(
        "It no longer signs you in. Sessions it started go on until you end them. Delete it from your device as well: your browser may go on offering it.",
      )}
      action={t("Remove")}
      remove={(body) => api("POST /v1/passkeys/{id}/remove", { params: { id: passkey.id }, body })}
      removed={t("“{name}” was removed", { name: passkey.name })}
      {...rest}
    />
  );
}
