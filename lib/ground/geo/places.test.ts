import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { reloadEnv } from "@/lib/ground/env/env";
import { placeOf } from "./places";

const text = (value: string) =>
  Buffer.concat([Buffer.from([0x40 | Buffer.byteLength(value)]), Buffer.from(value)]);
const map = (entries: Record<string, Buffer>) =>
  Buffer.concat([
    Buffer.from([0xe0 | Object.keys(entries).length]),
    ...Object.entries(entries).flatMap(([key, value]) => [text(key), value]),
  ]);
const uint = (type: number, value: number) =>
  Buffer.concat([Buffer.from([(type << 5) | 2]), Buffer.from([value >> 8, value & 255])]);

/** An MMDB file (MaxMind DB format 2.0) that says one place of every address: one node, one record. */
function everywhere({ city, country }: { city: string; country: string }): Buffer {
  const record = Buffer.from([0, 0, 1 + 16]);
  const names = (name: string) => map({ names: map({ en: text(name) }) });
  return Buffer.concat([
    record,
    record,
    Buffer.alloc(16),
    map({ city: names(city), country: names(country) }),
    Buffer.from("\u00ab\u00cd\u00efMaxMind.com", "latin1"),
    map({
      binary_format_major_version: uint(5, 2),
      binary_format_minor_version: uint(5, 0),
      build_epoch: uint(6, 0),
      database_type: text("Test-City"),
      description: map({}),
      ip_version: uint(5, 6),
      languages: Buffer.from([0x00, 0x04]),
      node_count: uint(6, 1),
      record_size: uint(5, 24),
    }),
  ]);
}

afterEach(() => {
  delete process.env["GEOIP_DB"];
  reloadEnv();
});

test("an address's country has its English name", () => {
  expect(placeOf("8.8.8.8")).toBe("United States");
  expect(placeOf("85.214.132.117")).toBe("Germany");
  expect(placeOf("::ffff:85.214.132.117")).toBe("Germany");
});

test("private addresses, IPv6 and what is no address are nowhere", () => {
  for (const ip of ["10.1.2.3", "127.0.0.1", "192.168.1.1", "2001:db8::1", "::1", "", "8.8.8"]) {
    expect(placeOf(ip)).toBeNull();
  }
});

test("a database of the installation's own that cannot be read takes nothing away", () => {
  process.env["GEOIP_DB"] = "/nowhere/city.mmdb";
  reloadEnv();
  expect(placeOf("8.8.8.8")).toBe("United States");
});

test("with a city database the city stands before the country, IPv6 included", async () => {
  const folder = await mkdtemp(join(tmpdir(), "lettermill-geo-"));
  const path = join(folder, "city.mmdb");
  await writeFile(path, everywhere({ city: "Berlin", country: "Germany" }));
  process.env["GEOIP_DB"] = path;
  reloadEnv();
  expect(placeOf("2001:db8::1")).toBe("Berlin, Germany");
  expect(placeOf("8.8.8.8")).toBe("Berlin, Germany");
  await rm(folder, { recursive: true });
});
