import type { Target, Wave } from "./target";

const contacts = 20_000;
const suppressions = 20_000;
const pauseMilliseconds = 500;
const csv = "text/csv";

/** Everybody again, each with values they did not have. */
const contactFile = (nth: number) =>
  `email,firstName,visits,note\n${Array.from(
    { length: contacts },
    (_, n) => `bomb${n}@example.net,Reader ${nth},${nth + n},"what was new in round ${nth}"\n`,
  ).join("")}`;

const suppressionFile = (nth: number) =>
  `email,reason\n${Array.from(
    { length: suppressions },
    (_, n) => `gone${nth}-${n}@example.net,manual\n`,
  ).join("")}`;

/** Files that are taken over, and changes of everybody: what workers go on with after the answer. */
export async function importBombs(target: Target): Promise<Wave[]> {
  const upload = async (name: string, path: string, file: (nth: number) => string) => {
    const key = await target.key(name);
    let nth = 0;
    return { name, throw: () => target.ask(path, { key, type: csv, body: file(nth++) }) };
  };
  const changes = [
    { action: "tag", name: "everybody", filter: {} },
    { action: "rename_field", name: "city", newName: "town", merge: true },
    { action: "untag", name: "everybody", filter: {} },
    { action: "rename_field", name: "town", newName: "city", merge: true },
  ].map((change) => JSON.stringify(change));
  const changesKey = await target.key("Changes");
  let nth = 0;
  const change = () =>
    target.ask("/v1/contacts/changes", {
      key: changesKey,
      body: changes[nth++ % changes.length] ?? "",
    });
  return [
    {
      lanes: 1,
      pauseMilliseconds,
      bombs: [await upload("imports of 20,000 known contacts", "/v1/contacts/import", contactFile)],
    },
    {
      lanes: 1,
      pauseMilliseconds,
      bombs: [
        await upload("imports of 20,000 suppressions", "/v1/suppressions/import", suppressionFile),
      ],
    },
    { lanes: 1, pauseMilliseconds, bombs: [{ name: "changes of everybody", throw: change }] },
  ];
}
