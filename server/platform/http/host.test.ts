import { expect, test } from "vitest";
import { Hosts } from "./host.ts";

test.each([
  ["chat.example.org", "chat.example.org", "http://chat.example.org"],
  ["Chat.Example.org:9991", "chat.example.org", "http://chat.example.org:9991"],
  ["[::1]:80", "[::1]", "http://[::1]:80"],
  [undefined, "", ""],
  ["", "", ""],
  ["a b", "", ""],
  ['x"><script>', "", ""],
  ["user@host", "", ""],
])("the Host header %s is the host %s under %s", (header, name, baseUrl) => {
  expect(new Hosts(undefined).read(header)).toMatchObject({ name, baseUrl, isServed: false });
});

test("names of more than 253 characters and ports over 65535 are invalid, and nothing of them is kept", () => {
  const hosts = new Hosts(undefined);
  const longest = "a".repeat(253);
  expect(hosts.read(longest).name).toBe(longest);
  expect(hosts.read(`${longest}:65535`).name).toBe(longest);
  expect(hosts.read(`${longest}:65535`)).toBe(hosts.read(`${longest}:65535`));
  for (const header of [`${longest}a`, "chat.example.org:65536", "chat.example.org:99999"]) {
    expect(hosts.read(header).name).toBe("");
    expect(hosts.read(header)).toBe(hosts.read("a b"));
  }
});

test("the base URL is the public URL for its host name and for a proxy's bare address", () => {
  const hosts = new Hosts("https://chat.example.org/");
  expect(hosts.read("chat.example.org").baseUrl).toBe("https://chat.example.org");
  expect(hosts.read("127.0.0.1:9991").baseUrl).toBe("https://chat.example.org");
  expect(hosts.read("other.example.org").baseUrl).toBe("https://other.example.org");
});

test.each([
  ["https://chat.example.org/", "chat.example.org", "https://chat.example.org"],
  ["https://chat.example.org/", "other.example.org", "https://other.example.org"],
  ["https://chat.example.org:8443", "10.0.0.7", "https://chat.example.org:8443"],
  [undefined, "chat.example.org:80", "http://chat.example.org"],
  [undefined, "chat.example.org:9991", "http://chat.example.org:9991"],
  ["https://chat.example.org", "a b", "https://chat.example.org"],
])("with the public URL %s the origin under the host %s is %s", (publicUrl, header, origin) => {
  expect(new Hosts(publicUrl).read(header).origin).toBe(origin);
});
