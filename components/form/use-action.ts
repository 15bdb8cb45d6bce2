"use client";

import { useMutation, type MutateOptions, type UseMutationOptions } from "@tanstack/react-query";
import { useRef } from "react";

/** What a button needs from a mutation. */
interface Action<Answer, Input> {
  mutate: (input: Input, callbacks?: MutateOptions<Answer, Error, Input>) => void;
  isPending: boolean;
  isError: boolean;
  isSuccess: boolean;
  error: Error | null;
  variables: Input | undefined;
}

/**
 * A mutation for what a button does: however often it is pressed, it runs once at a time. `isPending` comes
 * a moment too late to catch the second press of a double-click. With `leaves`, a success is the last thing
 * that happens here: the page or the dialog goes.
 */
export function useAction<Answer, Input = void>({
  leaves = false,
  ...options
}: UseMutationOptions<Answer, Error, Input> & { leaves?: boolean }): Action<Answer, Input> {
  const running = useRef(false);
  const { mutateAsync, isPending, isError, isSuccess, error, variables } = useMutation<
    Answer,
    Error,
    Input
  >(options);
  return {
    mutate: (...press) => {
      if (running.current) return;
      running.current = true;
      mutateAsync(...(press as Parameters<typeof mutateAsync>)).then(
        () => (running.current = leaves),
        () => (running.current = false),
      );
    },
    isPending: isPending || (leaves && isSuccess),
    isError,
    isSuccess,
    error,
    variables,
  };
}
