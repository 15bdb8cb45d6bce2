"use client";

import {
  useQuery,
  useQueryClient,
  type keepPreviousData,
  type UseQueryResult,
} from "@tanstack/react-query";
import { useLayoutEffect } from "react";
import { useProject } from "./project-context";
import { queryKey } from "./query-keys";
import { useCall } from "./use-call";
import { isNews, takeOver } from "./server-data";
import type { ApiAnswer, ApiInput, ApiRoute } from "@/lib/doors/http/client";

interface ReadOptions<Answer> {
  /** Milliseconds until the next read, or a function of the last answer. Absent: never. */
  every?: number | false | ((answer: Answer | undefined) => number | false);
  /** Whether a tab that nobody looks at goes on reading. */
  inBackground?: boolean;
  enabled?: boolean;
  retry?: false;
  staleTime?: number;
  gcTime?: number;
  /** `keepPreviousData`: what was read before stands until another question is answered. */
  placeholderData?: typeof keepPreviousData;
  /** Part of the key: another version is another answer. */
  version?: string | number;
}

export type Read<Answer> = Pick<
  UseQueryResult<Answer>,
  "error" | "isError" | "isFetching" | "isPending" | "isSuccess" | "refetch" | "dataUpdatedAt"
> & {
  data: Answer;
  /** Milliseconds until the next read; false: never. */
  every: number | false;
};

/**
 * What a route answers, kept up to date. `initial`: what the page was rendered with; newer than whatever
 * is cached when it arrives.
 */
export function useRead<R extends ApiRoute>(
  route: R,
  input: ApiInput<R>,
  options: ReadOptions<ApiAnswer<R>> & { initial: ApiAnswer<R> },
): Read<ApiAnswer<R>>;
export function useRead<R extends ApiRoute>(
  route: R,
  input: ApiInput<R>,
  options?: ReadOptions<ApiAnswer<R>>,
): Read<ApiAnswer<R> | undefined>;
export function useRead<R extends ApiRoute>(
  route: R,
  input: ApiInput<R>,
  {
    initial,
    every = false,
    inBackground = false,
    version,
    ...rest
  }: ReadOptions<ApiAnswer<R>> & { initial?: ApiAnswer<R> & object } = {},
): Read<ApiAnswer<R> | undefined> {
  const { id } = useProject();
  const call = useCall();
  const queries = useQueryClient();
  const key = [...queryKey(id, route, input), ...(version === undefined ? [] : [version])];
  const interval = (answer: ApiAnswer<R> | undefined) =>
    typeof every === "function" ? every(answer) : every;
  const news = isNews(initial);
  const query = useQuery({
    queryKey: key,
    queryFn: ({ signal }) => call(route, input, { signal, urgency: "read" }),
    refetchInterval: ({ state }) => interval(state.data),
    refetchIntervalInBackground: inBackground,
    ...(initial === undefined
      ? {}
      : { initialData: initial, ...(news ? {} : { initialDataUpdatedAt: 0 }) }),
    ...rest,
  });
  useLayoutEffect(() => takeOver(queries, key, initial));
  // Always asked for: what is not, is not watched.
  const { data: read } = query;
  const data = news ? initial : read;
  return {
    data,
    every: interval(data),
    // Asked for one by one: whoever shows none of them is not rendered again when a read begins, or ends with no news.
    get error() {
      return query.error;
    },
    get isError() {
      return query.isError;
    },
    get isFetching() {
      return query.isFetching;
    },
    get isPending() {
      return query.isPending;
    },
    get isSuccess() {
      return query.isSuccess;
    },
    get refetch() {
      return query.refetch;
    },
    get dataUpdatedAt() {
      return query.dataUpdatedAt;
    },
  };
}
