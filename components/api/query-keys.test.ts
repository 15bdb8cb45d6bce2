import { QueryClient, QueryObserver } from "@tanstack/react-query";
import { expect, test, vi } from "vitest";
import { invalidateChanged, isWrite, queryKey } from "./query-keys";

const project = "prj_1";
const contacts = queryKey(project, "GET /v1/contacts", { query: {} });
const ada = queryKey(project, "GET /v1/contacts/{id}", { params: { id: "con_ada" } });
const segments = queryKey(project, "GET /v1/segments", { query: {} });
const webhooks = queryKey(project, "GET /v1/webhooks", { query: {} });
const elsewhere = queryKey("prj_2", "GET /v1/contacts", { query: {} });
const preview = queryKey(project, "POST /v1/segments/preview", { body: { filter: { and: [] } } });

/** A cache that holds every answer above, each shown on a page; says which were read again. */
function watchedCache() {
  const queries = new QueryClient();
  const read: unknown[] = [];
  for (const key of [contacts, ada, segments, webhooks, elsewhere, preview]) {
    queries.setQueryData(key, { data: [] });
    new QueryObserver(queries, {
      queryKey: key,
      queryFn: () => {
        read.push(key);
        return { data: [] };
      },
      staleTime: Infinity,
    }).subscribe(() => {});
  }
  const isStale = (key: readonly unknown[]) => queries.getQueryState(key)?.isInvalidated;
  return { queries, read, isStale };
}

test("a write makes what it changes stale, in its project alone, and reads what is shown again", async () => {
  const { queries, read, isStale } = watchedCache();
  await invalidateChanged(queries, project, "POST /v1/contacts/bulk");
  expect(read).toEqual([contacts, ada, segments]);
  expect(isStale(webhooks)).toBe(false);
  expect(isStale(elsewhere)).toBe(false);
  // Asked by POST: stale, so its page asks when it is shown, but not counted anew with every save.
  expect(isStale(preview)).toBe(true);
  queries.clear();
});

const shown = {
  audience: queryKey(project, "POST /v1/campaigns/audience", { body: {} }),
  campaign: queryKey(project, "GET /v1/campaigns/{id}", { params: { id: "cmp_1" } }),
  list: queryKey(project, "GET /v1/lists/{id}", { params: { id: "lst_1" } }),
  overview: queryKey(project, "GET /v1/overview", { query: { range: "7d" } }),
  segment: queryKey(project, "GET /v1/segments/{id}", { params: { id: "seg_1" } }),
  log: queryKey(project, "GET /v1/audit", { query: { limit: 50 } }),
  assistants: queryKey(project, "GET /v1/assistants", {}),
  captured: queryKey(project, "GET /v1/captured", { query: {} }),
  form: queryKey(project, "GET /v1/forms/{id}", { params: { id: "frm_1" } }),
  connections: queryKey(project, "GET /v1/connections", {}),
  domain: queryKey(project, "GET /v1/domains/{id}", { params: { id: "dom_1" } }),
  inbound: queryKey(project, "GET /v1/inbound", { query: {} }),
  routes: queryKey(project, "GET /v1/inbound/routes", { query: {} }),
  members: queryKey(project, "GET /v1/members", {}),
  sessions: queryKey(project, "GET /v1/sessions", {}),
  suppressions: queryKey(project, "GET /v1/suppressions", { query: {} }),
  topics: queryKey(project, "GET /v1/topics", {}),
};

test.each([
  ["POST /v1/contacts/import", ["audience", "list", "overview", "segment"]],
  ["POST /v1/subscribers/{id}/unsubscribe", ["audience", "list", "segment"]],
  ["PATCH /v1/segments/{id}", ["audience", "segment"]],
  ["PATCH /v1/lists/{id}", ["audience", "list"]],
  ["PATCH /v1/templates/{id}", ["campaign"]],
  ["POST /v1/domains/{id}/verify", ["campaign", "overview"]],
  ["PATCH /v1/project", ["campaign"]],
  ["POST /v1/campaigns/{id}/send", ["campaign", "list", "overview", "segment"]],
  ["POST /v1/contacts/{id}/merge", ["suppressions", "topics", "inbound", "captured"]],
  ["POST /v1/contacts/changes", ["form", "segment", "captured", "suppressions", "topics"]],
  ["POST /v1/lists/{id}/subscribers", ["captured"]],
  ["DELETE /v1/members/{id}", ["members", "assistants"]],
  ["POST /v1/second-factor/confirm", ["members"]],
  ["POST /v1/platform-token/rotate", ["sessions"]],
  ["PATCH /v1/connections/{id}", ["overview"]],
  ["PATCH /v1/webhooks/{id}", ["overview"]],
  ["DELETE /v1/topics/{id}", ["campaign", "form"]],
  // An inbound route shows its webhook's address and state, a received mail its deliveries.
  ["PATCH /v1/webhooks/{id}", ["inbound", "routes"]],
  ["POST /v1/webhooks/{webhookId}/deliveries/{id}/retry", ["inbound"]],
  ["DELETE /v1/domains/{id}", ["inbound", "routes"]],
  ["POST /v1/sending/go-on", ["connections", "domain"]],
] as const)("%s leaves nothing old on %j, nor in the audit log", async (route, places) => {
  const queries = new QueryClient();
  for (const key of Object.values(shown)) queries.setQueryData(key, { data: [] });
  await invalidateChanged(queries, project, route);
  for (const place of [...places, "log"] as const) {
    expect(queries.getQueryState(shown[place])?.isInvalidated, place).toBe(true);
  }
});

test("what was deleted is not asked for once more", async () => {
  const { queries, read, isStale } = watchedCache();
  await invalidateChanged(queries, project, "DELETE /v1/contacts/{id}", "con_ada");
  expect(read).toEqual([contacts, segments]);
  expect(isStale(ada)).toBe(true);
  queries.clear();
});

test("a first answer that was under way during a write is not what is shown", async () => {
  const queries = new QueryClient();
  let stored = "before";
  const answers: (() => void)[] = [];
  const observer = new QueryObserver(queries, {
    queryKey: contacts,
    queryFn: ({ signal }) => {
      const read = stored;
      return new Promise<string>((resolve, reject) => {
        answers.push(() => resolve(read));
        signal.addEventListener("abort", () => reject(signal.reason as Error));
      });
    },
  });
  observer.subscribe(() => {});
  await vi.waitFor(() => expect(answers).toHaveLength(1));
  stored = "after";
  const fresh = invalidateChanged(queries, project, "POST /v1/contacts");
  await vi.waitFor(() => expect(answers).toHaveLength(2));
  for (const answer of answers) answer();
  await fresh;
  expect(observer.getCurrentResult()).toMatchObject({ data: "after", isSuccess: true });
  queries.clear();
});

test("a question by POST is no write", () => {
  expect(isWrite("POST /v1/segments/preview")).toBe(false);
  expect(isWrite("GET /v1/contacts")).toBe(false);
  expect(isWrite("POST /v1/contacts")).toBe(true);
  expect(isWrite("DELETE /v1/captured")).toBe(true);
});
