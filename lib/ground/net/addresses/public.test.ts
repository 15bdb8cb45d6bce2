import { describe, expect, test } from "vitest";
import { isPublicAddress } from "./public";

describe("an address is public", () => {
  test.each(["8.8.8.8", "1.1.1.1", "172.15.255.255", "172.32.0.0", "100.63.0.1", "192.167.1.1"])(
    "%s",
    (address) => expect(isPublicAddress(address)).toBe(true),
  );
  test.each(["2606:4700::1111", "2a00:1450:4001:81b::200e", "2400:cb00::1"])("%s", (address) =>
    expect(isPublicAddress(address)).toBe(true),
  );
});

describe("an address is not public", () => {
  test.each([
    ["this network", "0.0.0.0"],
    ["private", "10.1.2.3"],
    ["private", "172.16.0.1"],
    ["private", "172.31.255.255"],
    ["private", "192.168.1.1"],
    ["carrier-grade NAT", "100.64.0.1"],
    ["Alibaba's metadata", "100.100.100.200"],
    ["loopback", "127.0.0.1"],
    ["loopback", "127.8.8.8"],
    ["link-local, metadata", "169.254.169.254"],
    ["Azure's host", "168.63.129.16"],
    ["Oracle's metadata", "192.0.0.192"],
    ["documentation", "192.0.2.1"],
    ["6to4 relays", "192.88.99.1"],
    ["benchmarks", "198.18.0.1"],
    ["multicast", "224.0.0.1"],
    ["reserved", "240.0.0.1"],
    ["broadcast", "255.255.255.255"],
    ["unspecified", "::"],
    ["loopback", "::1"],
    ["loopback in full", "0:0:0:0:0:0:0:1"],
    ["mapped loopback", "::ffff:127.0.0.1"],
    ["mapped loopback in hex", "::ffff:7f00:1"],
    ["mapped, whatever it maps", "::ffff:8.8.8.8"],
    ["compatible", "::127.0.0.1"],
    ["NAT64", "64:ff9b::7f00:1"],
    ["local NAT64", "64:ff9b:1::1"],
    ["discard", "100::1"],
    ["Teredo", "2001::1"],
    ["ORCHID", "2001:20::1"],
    ["documentation", "2001:db8::1"],
    ["6to4 of loopback", "2002:7f00:1::"],
    ["6to4 of metadata", "2002:a9fe:a9fe::1"],
    ["documentation", "3fff::1"],
    ["ULA", "fc00::1"],
    ["AWS' metadata", "fd00:ec2::254"],
    ["link-local", "fe80::1"],
    ["link-local with a zone", "fe80::1%eth0"],
    ["a zone on a public one", "2606:4700::1111%1"],
    ["site-local", "fec0::1"],
    ["multicast", "ff02::1"],
    ["a name", "example.com"],
    ["nothing", ""],
    ["octal", "0177.0.0.1"],
    ["one number", "2130706433"],
  ])("%s: %s", (_what, address) => expect(isPublicAddress(address)).toBe(false));
});
