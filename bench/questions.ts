import { z } from "zod";
import { inputOf, type AnyOperation } from "@/lib/doors/http/surface/operation";
import { bearerOperations } from "@/lib/doors/http/v1/operations";

/* What the dashboard can be asked, taken from the operations themselves: new filters are measured without being named. */

/** Asks until there is an answer other than "too many requests", and says how long that one took. */
export type Ask = (path: string) => Promise<{ status: number; body: string; milliseconds: number }>;
/** The id of the first thing of each collection, by its path. */
export type FirstIds = ReadonlyMap<string, string>;

interface Property {
  enum?: unknown[];
  type?: string;
  anyOf?: Property[];
}

const nobody = "nobody-has-this";
const mostValues = 12;
const texts: Readonly<Record<string, readonly string[]>> = {
  search: ["a", "anna", "example.com", nobody],
  q: ["a", "anna", nobody],
  tag: ["green", nobody],
  subject: ["Your receipt", nobody],
  provider: ["Google", "example.com", nobody],
};
const weeks = [
  ["2019-01-01", "2019-01-07"],
  ["2026-09-07", "2026-09-13"],
] as const;

/** What is asked of one campaign alone. */
const ofCampaign: Readonly<Record<string, readonly string[]>> = {
  variant: ["A", "E"],
  link: ["https://tea.example.com/", nobody],
};

/** What may be asked of one parameter, as query strings. */
function choicesOf(name: string, property: Property, ids: FirstIds): string[] {
  const campaign = ids.get("/v1/campaigns");
  const its = ofCampaign[name];
  if (its)
    return campaign
      ? its.map((value) => `campaignId=${campaign}&${name}=${encodeURIComponent(value)}`)
      : [];
  const one = (value: unknown) => `${name}=${encodeURIComponent(String(value))}`;
  const named = texts[name];
  if (named) return named.map(one);
  if (name === "startDate") return weeks.map(([from, to]) => `startDate=${from}&endDate=${to}`);
  const kinds = [property, ...(property.anyOf ?? [])];
  const values = kinds.flatMap((kind) => kind.enum ?? []);
  // Of a hundred kinds of action, some say what all of them would.
  if (values.length > 0) return values.slice(0, mostValues).map(one);
  if (kinds.some(({ type }) => type === "boolean")) return [one(true), one(false)];
  const id = name.endsWith("Id") && ids.get(`/v1/${name.slice(0, -2)}s`);
  return id ? [one(id)] : [];
}

function queriesOf(query: z.ZodType | undefined, ids: FirstIds): string[] {
  if (!query) return [""];
  const schema = z.toJSONSchema(query, { io: "input", unrepresentable: "any" });
  const properties = Object.entries((schema.properties ?? {}) as Record<string, Property>);
  return ["", ...properties.flatMap(([name, property]) => choicesOf(name, property, ids))];
}

const gets = bearerOperations.filter(({ method, answerType }) => method === "get" && !answerType);
/** What a page may ask. */
const askedOf = (operation: AnyOperation) => inputOf(operation, true).query;
const parametersOf = (path: string) => path.match(/\{\w+\}/g) ?? [];

async function firstIds(ask: Ask, base: string): Promise<FirstIds> {
  const ids = new Map<string, string>();
  for (const { path } of gets.filter(({ path }) => parametersOf(path).length === 0)) {
    const { status, body } = await ask(base + path);
    if (status !== 200) continue;
    const { data } = JSON.parse(body) as { data?: unknown };
    const [first] = Array.isArray(data) ? (data as { id?: unknown }[]) : [];
    if (typeof first?.id === "string") ids.set(path, first.id);
  }
  return ids;
}

/** Every reading operation with nothing asked, and with each value of each of its filters. */
export async function readQuestions(
  ask: Ask,
  projectId: string,
): Promise<{ reads: string[]; ids: FirstIds }> {
  const base = `/api/dashboard/${projectId}`;
  const ids = await firstIds(ask, base);
  const reads = gets.flatMap((operation) => {
    const { path } = operation;
    const [parameter, ...more] = parametersOf(path);
    const collection = path.split("/{")[0] ?? "";
    const id = parameter && ids.get(collection);
    if (more.length > 0 || (parameter && !id)) return [];
    const filled = parameter && id ? path.replace(parameter, id) : path;
    return queriesOf(askedOf(operation), ids).map(
      (asked) => base + filled + (asked && `?${asked}`),
    );
  });
  return { reads, ids };
}

const plainPages = [
  ...["", "/contacts", "/contacts/import", "/contacts/departures", "/lists", "/lists/new"],
  ...["/forms", "/forms/new", "/segments", "/segments/new", "/suppressions", "/campaigns"],
  ...["/campaigns/calendar", "/emails", "/inbound", "/inbound/routes", "/templates", "/media"],
  ...["/templates/new", "/captured", "/domains", "/api-keys", "/assistants", "/webhooks"],
  ...["/settings", "/settings/members", "/settings/audit", "/settings/connections"],
  ...["/settings/topics", "/settings/fields", "/settings/brand", "/sending", "/api-reference"],
  ...[
    "/api-reference/createCampaign",
    "/api-reference/platform",
    "/api-reference/platform/createList",
  ],
  "/changelog",
];
const pagesOfOne = [
  "contacts",
  "lists",
  "segments",
  "campaigns",
  "emails",
  "templates",
  "webhooks",
];

/** Paths of the dashboard's pages, with those of the first thing of each kind. */
export const pageQuestions = (projectId: string, ids: FirstIds): string[] => [
  ...plainPages.map((path) => `/dashboard/${projectId}${path}`),
  ...pagesOfOne.flatMap((kind) => {
    const id = ids.get(`/v1/${kind}`);
    return id ? [`/dashboard/${projectId}/${kind}/${id}`] : [];
  }),
];
