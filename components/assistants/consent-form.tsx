"use client";

import { useState } from "react";
import { messageOf } from "@/components/api/faults";
import { post } from "@/components/sign-in/post";
import { Button } from "@/components/ui/button";
import { Callout } from "@/components/ui/callout";
import { ChoiceCards } from "@/components/ui/choice-cards";
import { Field } from "@/components/ui/field";
import { Select } from "@/components/ui/select";
import type { AssistantScope, Role } from "@/db/enums";
import { t } from "@/lib/ground/texts/t";
import { scopeWords } from "./scopes";

interface Choice {
  id: string;
  name: string;
  role: Role;
}

/** Where somebody chooses what an assistant may do, and in which project. */
export function ConsentForm({
  asked,
  projects,
  scopes,
}: {
  /** The request as it came: the server reads it again with the answer. */
  asked: Record<string, string>;
  projects: readonly Choice[];
  scopes: readonly AssistantScope[];
}) {
  const [projectId, setProjectId] = useState(projects[0]?.id ?? "");
  const [wished, setWished] = useState(scopes[0]);
  const [pending, setPending] = useState<"allow" | "deny" | null>(null);
  const [error, setError] = useState<string | null>(null);
  const role = projects.find(({ id }) => id === projectId)?.role;
  const offered = scopes.filter((scope) => scope !== "sending" || role !== "viewer");
  const scope = wished && offered.includes(wished) ? wished : offered[0];

  async function decide(decision: "allow" | "deny") {
    setPending(decision);
    setError(null);
    try {
      const answer = await post<{ to: string }>("/oauth/consent", {
        ...{ asked, decision, projectId },
        scope: scope ?? "read",
      });
      window.location.assign(answer.to);
    } catch (thrown) {
      setPending(null);
      setError(messageOf(thrown));
    }
  }

  return (
    <div className="flex flex-col gap-5">
      {projects.length > 1 && (
        <Field label={t("Project")} name="project">
          <Select
            options={projects.map(({ id, name }) => ({ value: id, label: name }))}
            value={projectId}
            onChange={setProjectId}
          />
        </Field>
      )}
      {scope === undefined ? (
        <Callout kind="warning">
          {t("Your role in this project does not let you send email.")}
        </Callout>
      ) : (
        <ChoiceCards
          label={
            projects.length === 1
              ? t("What it may do in “{project}”", { project: projects[0]?.name })
              : t("What it may do there")
          }
          options={offered.map((value) => ({ value, ...scopeWords[value] }))}
          value={scope}
          onChange={setWished}
          stacked
        />
      )}
      {error && (
        <Callout kind="danger" alert>
          {error}
        </Callout>
      )}
      <div className="flex flex-col gap-2">
        <Button
          variant="primary"
          size="lg"
          pending={pending === "allow"}
          disabled={pending !== null || scope === undefined}
          onClick={() => void decide("allow")}
        >
          {t("Allow and return")}
        </Button>
        <Button
          size="lg"
          pending={pending === "deny"}
          disabled={pending !== null}
          onClick={() => void decide("deny")}
        >
          {t("Cancel")}
        </Button>
      </div>
    </div>
  );
}
