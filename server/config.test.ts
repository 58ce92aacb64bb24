import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { checkProxies } from "../cli/doctor/checks.ts";
import { readConfig } from "./config.ts";
import { filesDirectory, needsSharedFiles } from "./platform/file-storage/open-storage.ts";
import { ConfigError } from "./setting-values.ts";

test("trusted proxies are addresses and ranges", () => {
  const read = (text: string) => readConfig({ PARLEY_TRUSTED_PROXIES: text }).trustedProxies;
  expect(readConfig({}).trustedProxies).toEqual([]);
  expect(read("127.0.0.1, 10.0.0.0/8,::1")).toEqual(["127.0.0.1", "10.0.0.0/8", "::1"]);
  for (const wrong of ["loopback", "10.0.0.0/99", "127.0.0.1,,10.0.0.1", "*"]) {
    expect(() => read(wrong)).toThrow(ConfigError);
    expect(() => read(wrong)).toThrow("must be addresses or ranges such as 127.0.0.1 or 10.0.0.0/8");
  }
});

test.each([
  [undefined, "127.0.0.1"],
  ["0.0.0.0", "0.0.0.0"],
  ["::1", "::1"],
  ["[::1]", "::1"],
  ["[::]", "::"],
])("PARLEY_HOST=%s listens on %s", (text, host) => {
  expect(readConfig({ PARLEY_HOST: text }).host).toBe(host);
});

test("a port that Kubernetes sets for a service is explained", () => {
  for (const name of ["PARLEY_PORT", "PARLEY_HTTP_PORT"]) {
    const environment = { PARLEY_TLS: "acme:ops@chess.test", PARLEY_PUBLIC_URL: "https://chess.test" };
    expect(() => readConfig({ ...environment, [name]: "tcp://10.0.0.1:9991" })).toThrow(
      `${name} is 'tcp://10.0.0.1:9991', which Kubernetes sets for a service of that name. Give the service another name, or set enableServiceLinks: false in the pod.`,
    );
  }
});

test("metrics have an address of their own, and none by default", () => {
  const read = (text: string, more = {}) => readConfig({ PARLEY_METRICS: text, ...more }).metrics;
  expect(readConfig({}).metrics).toBeUndefined();
  expect(read(" ")).toBeUndefined();
  expect(read("127.0.0.1:9992")).toEqual({ host: "127.0.0.1", port: 9992 });
  expect(read("localhost:0")).toEqual({ host: "localhost", port: 0 });
  expect(read("[::1]:9992")).toEqual({ host: "::1", port: 9992 });
  for (const wrong of [
    "9992",
    ":9992",
    "127.0.0.1",
    "127.0.0.1:",
    "::1:9992",
    "[localhost]:9992",
    "a:65536",
  ]) {
    expect(() => read(wrong), wrong).toThrow(ConfigError);
    expect(() => read(wrong), wrong).toThrow("must have the form 127.0.0.1:9992 or [::1]:9992");
  }
  for (const wrong of ["http://127.0.0.1:9992", "127.0.0.1:9992/metrics", "127.0.0.1:-1", "a b:9992"]) {
    expect(() => read(wrong), wrong).toThrow(ConfigError);
  }
  expect(() => read("127.0.0.1:9991")).toThrow("must have another port than PARLEY_PORT");
  expect(() => read("10.0.0.1:80", { PARLEY_PORT: "80" })).toThrow("must have another port");
  expect(read("127.0.0.1:9991", { PARLEY_PORT: "80" })).toEqual({ host: "127.0.0.1", port: 9991 });
});

test("an https address without a trusted proxy is warned of", () => {
  const warns = (environment: NodeJS.ProcessEnv) => checkProxies(readConfig(environment)).isWarning === true;
  const https = { PARLEY_PUBLIC_URL: "https://chat.example.com" };
  expect(warns({})).toBe(false);
  expect(warns({ PARLEY_PUBLIC_URL: "http://chat.example.com" })).toBe(false);
  expect(warns(https)).toBe(true);
  expect(warns({ ...https, PARLEY_TRUSTED_PROXIES: "127.0.0.1" })).toBe(false);
  expect(warns({ ...https, PARLEY_TLS: "file:/etc/tls/cert.pem,/etc/tls/key.pem" })).toBe(false);
});

test("further organizations need a public host name below which they get theirs", () => {
  const open = (publicUrl?: string) =>
    readConfig({ PARLEY_OPEN_ORGANIZATIONS: "on", PARLEY_PUBLIC_URL: publicUrl }).hasOpenOrganizations;
  expect(readConfig({}).hasOpenOrganizations).toBe(false);
  expect(open("https://chat.example.com")).toBe(true);
  expect(open("http://localhost:9991")).toBe(true);
  for (const url of [undefined, "http://192.0.2.1:9991", "http://[::1]:9991"]) {
    expect(() => open(url)).toThrow("PARLEY_OPEN_ORGANIZATIONS needs PARLEY_PUBLIC_URL");
  }
});

test("backups have times and a rule for those that stay", () => {
  const read = (more: NodeJS.ProcessEnv) => {
    const { backup, backupAt, backupKeep } = readConfig({ PARLEY_BACKUP: "/mnt/backup", ...more });
    return { backup, backupAt, backupKeep };
  };
  expect(read({})).toEqual({ backup: "/mnt/backup", backupAt: [180], backupKeep: undefined });
  expect(read({ PARLEY_BACKUP_AT: "off" }).backupAt).toEqual([]);
  expect(read({ PARLEY_BACKUP_AT: "01:30,13:30", PARLEY_BACKUP_KEEP: "7d,4w" })).toMatchObject({
    backupAt: [90, 810],
    backupKeep: { days: 7, weeks: 4, months: 0 },
  });
  expect(read({ PARLEY_BACKUP: "/mnt/backup?every=6h" })).toMatchObject({
    ...{ backup: "/mnt/backup", backupAt: { everyMs: 6 * 3600 * 1000 } },
  });
  expect(() => read({ PARLEY_BACKUP: "/mnt/backup?every=often" })).toThrow(
    "PARLEY_BACKUP: 'often' does not say how often backups are made.",
  );
  expect(() => read({ PARLEY_BACKUP: "/mnt/backup?every=6h", PARLEY_BACKUP_AT: "03:00" })).toThrow(
    "Set one of them.",
  );
  expect(() => read({ PARLEY_BACKUP_AT: "daily" })).toThrow(
    "PARLEY_BACKUP_AT: 'daily' does not say when backups are made.",
  );
  expect(() => read({ PARLEY_BACKUP_KEEP: "ten" })).toThrow(
    "PARLEY_BACKUP_KEEP: 'ten' does not say which backups stay.",
  );
  const key = (text?: string) => readConfig({ PARLEY_BACKUP_KEY: text }).backupKey;
  expect([key(), key(" a-key-for-the-backups ")]).toEqual([undefined, "a-key-for-the-backups"]);
  expect(() => key("too-short")).toThrow("PARLEY_BACKUP_KEY has fewer than 16 characters.");
  expect(() => key("@/nowhere/key")).toThrow("PARLEY_BACKUP_KEY: Its file can't be read (ENOENT).");
  expect(() => readConfig({ PARLEY_BACKUP_AT: "03:00" })).toThrow(
    "PARLEY_BACKUP_AT is set, but PARLEY_BACKUP is not. Set it to the target of the backups.",
  );
});

test("files lie in the data directory, or where PARLEY_FILES says", () => {
  expect(filesDirectory(readConfig({ PARLEY_DATA_DIR: "/srv/parley" }))).toBe("/srv/parley/files");
  expect(filesDirectory(readConfig({ PARLEY_FILES: "/mnt/shared/" }))).toBe("/mnt/shared");
  expect(() => readConfig({ PARLEY_FILES: "ftp://host/files" })).toThrow(ConfigError);
});

test("files lie in a bucket with the variables that programs share, and no message has the secret", () => {
  const keys = { AWS_ACCESS_KEY_ID: "key", AWS_SECRET_ACCESS_KEY: "a-secret-key" };
  const read = (PARLEY_FILES: string, more: NodeJS.ProcessEnv) => readConfig({ PARLEY_FILES, ...more });
  const { files, s3 } = read("s3://files/chat/a/", { ...keys, AWS_REGION: "eu-central-1" });
  const credentials = { accessKeyId: "key", secretAccessKey: "a-secret-key" };
  const place = {
    bucket: "files",
    prefix: "chat/a",
    region: "eu-central-1",
    endpoint: undefined,
    credentials,
  };
  expect([files, s3]).toEqual([undefined, place]);
  const more = { ...keys, AWS_ENDPOINT_URL: "http://10.0.0.2:9000/", AWS_SESSION_TOKEN: "token" };
  expect(read("s3://files", more).s3).toEqual({
    ...{ bucket: "files", prefix: "", region: "us-east-1", endpoint: "http://10.0.0.2:9000" },
    credentials: { ...credentials, sessionToken: "token" },
  });
  expect(readConfig(keys).s3).toBeUndefined();
  for (const [place, variables, problem] of [
    ["s3://", more, "must have the form s3://bucket or s3://bucket/prefix"],
    ["s3://Files", more, "must have the form"],
    ["s3://files/../a", more, "must have the form"],
    ["s3://files", {}, "set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY"],
    ["s3://files", { ...more, AWS_ACCESS_KEY_ID: " " }, "which needs a key"],
    ["s3://files", keys, "set AWS_REGION"],
    ["s3://files", { ...keys, AWS_ENDPOINT_URL: "10.0.0.2:9000" }, "AWS_ENDPOINT_URL must have the form"],
    ["s3://files", { ...keys, AWS_ENDPOINT_URL: "http://key:a-secret-key@host" }, "without a path"],
  ] as const) {
    const act = () => read(place, variables);
    expect(act, place).toThrow(ConfigError);
    expect(act, place).toThrow(problem);
    expect(act, place).not.toThrow("a-secret-key");
  }
});

test("requests are logged by none, all or a part, and none by default", () => {
  const read = (text?: string) =>
    readConfig({ PARLEY_ENV: "development", ...(text !== undefined && { PARLEY_LOG_REQUESTS: text }) })
      .logRequests;
  expect([read(), read("off"), read("all"), read("1/1"), read("1/100")]).toEqual([0, 0, 1, 1, 100]);
  for (const text of ["on", "100", "1/0", "1/-1", "2/3", "1/10000000", "10%"]) {
    expect(() => read(text)).toThrow(`PARLEY_LOG_REQUESTS is '${text}', but must be off, all, or 1/100`);
  }
});

test("servers on one database are advised to share their files", () => {
  const warns = (environment: NodeJS.ProcessEnv) => needsSharedFiles(readConfig(environment));
  const shared = { DATABASE_URL: "postgres://parley@db/parley" };
  expect(warns({})).toBe(false);
  expect(warns(shared)).toBe(true);
  expect(warns({ ...shared, PARLEY_FILES: "/mnt/shared" })).toBe(false);
  const keys = { AWS_ACCESS_KEY_ID: "a", AWS_SECRET_ACCESS_KEY: "b", AWS_REGION: "eu-central-1" };
  expect(warns({ ...shared, ...keys, PARLEY_FILES: "s3://files" })).toBe(false);
});

test("keys for tokens are JSON, or a file with it, and no message has a part of them", () => {
  const json = '{"demo.test":{"key":"a secret of the tests, with 32 bytes","algorithms":["HS256"]}}';
  const directory = mkdtempSync(join(tmpdir(), "parley-config-"));
  const file = join(directory, "jwt.json");
  const hostsOf = (text: string) => [...readConfig({ PARLEY_JWT: text }).jwtKeys.keys()];
  try {
    writeFileSync(file, json);
    expect(readConfig({}).jwtKeys.size).toBe(0);
    expect(hostsOf(json)).toEqual(["demo.test"]);
    expect(hostsOf(`@${file}`)).toEqual(["demo.test"]);
    const missing = `@${file}.gone`;
    for (const [fault, wrong, problem] of [
      ["setting-wrong", json.slice(1), "PARLEY_JWT: It is not a JSON object."],
      [
        "setting-wrong",
        json.replace("32 bytes", ""),
        "PARLEY_JWT: The key of demo.test must have at least 32 bytes.",
      ],
      ["setting-file", missing, "PARLEY_JWT: Its file can't be read (ENOENT)."],
    ] as const) {
      const act = () => readConfig({ PARLEY_JWT: wrong });
      expect(act).toThrow(ConfigError);
      expect(act).toThrow(new ConfigError(fault, problem));
    }
  } finally {
    rmSync(directory, { recursive: true });
  }
});

test("only the operator opens addresses inside the network, and development the loopback", () => {
  const read = (text: string) => readConfig({ PARLEY_OUTGOING_ALLOW: text }).outgoingAllow;
  expect(readConfig({}).outgoingAllow).toEqual([]);
  expect(readConfig({ PARLEY_ENV: "development" }).outgoingAllow).toEqual(["127.0.0.0/8", "::1"]);
  expect(read("10.0.0.0/8, fd00::/8,192.168.1.5")).toEqual(["10.0.0.0/8", "fd00::/8", "192.168.1.5"]);
  for (const wrong of ["intranet", "10.0.0.0/40", "10.0.0.1,"]) {
    expect(() => read(wrong)).toThrow("PARLEY_OUTGOING_ALLOW has");
  }
});

test("mail needs a server and a sender, and no message repeats the password", () => {
  const read = (PARLEY_SMTP_URL?: string, PARLEY_MAIL_FROM?: string) =>
    readConfig({ PARLEY_SMTP_URL, PARLEY_MAIL_FROM, PARLEY_PUBLIC_URL: "https://chat.example.com" }).mail;
  expect(read()).toBeUndefined();
  expect(read("smtp://a:secret@mail.example.com", "Chat <chat@example.com>")).toMatchObject({
    smtp: { host: "mail.example.com", credentials: { password: "secret" } },
    sender: { name: "Chat", address: "chat@example.com" },
  });
  expect(() => read("smtp://mail.example.com")).toThrow("belong together");
  expect(() => read(undefined, "chat@example.com")).toThrow("belong together");
  expect(() => read("smtp://mail.example.com", "chat")).toThrow("PARLEY_MAIL_FROM is 'chat'");
  expect(() => read("http://a:secret@mail.example.com", "chat@example.com")).toThrow(
    /^PARLEY_SMTP_URL must have the form smtp:\/\/user:password@host:587 or smtps:\/\/user:password@host:465\.$/,
  );
});

test("mail in production needs the address of the server, since no request may name it", () => {
  const mail = {
    PARLEY_SMTP_URL: "smtp://mail.example.com",
    PARLEY_MAIL_FROM: "chat@example.com",
  };
  expect(() => readConfig(mail)).toThrow(/^PARLEY_SMTP_URL is set, but PARLEY_PUBLIC_URL is not\./);
  expect(readConfig({ ...mail, PARLEY_ENV: "development" }).mail).toBeDefined();
  expect(readConfig({ ...mail, PARLEY_PUBLIC_URL: "https://chat.example.com" }).mail).toBeDefined();
  expect(readConfig({}).publicUrl).toBeUndefined();
});

test("the largest upload is a whole number of MiB, 25 by default", () => {
  const read = (text: string) => readConfig({ PARLEY_MAX_UPLOAD_MIB: text }).maxUploadMib;
  expect(readConfig({}).maxUploadMib).toBe(25);
  expect([read("1"), read(" 100 "), read("10240")]).toEqual([1, 100, 10_240]);
  for (const wrong of ["0", "-1", "1.5", "10241", "1e3", "100MiB"]) {
    expect(() => read(wrong), wrong).toThrow(ConfigError);
  }
});

describe("sign-in providers", () => {
  const sso = {
    id: "sso",
    name: "Our SSO",
    issuer: "https://id.example.com",
    client_id: "us",
    client_secret: "hush",
  };
  const tenant = "00000000-1111-2222-3333-444444444444";
  const read = (entries: unknown) => readConfig({ PARLEY_OIDC: JSON.stringify(entries) }).providers;

  test("are read in order, with their defaults", () => {
    expect(readConfig({}).providers).toEqual([]);
    const keys = { client_id: "us", client_secret: "hush" };
    const all = read([
      sso,
      { preset: "google", ...keys },
      { preset: "github", ...keys },
      { preset: "gitlab", issuer: "https://git.example.com", ...keys },
      { id: "entra", preset: "microsoft", tenant, ...keys },
    ]);
    expect(all.map(({ id, methodName, name, issuer }) => [id, methodName, name, issuer])).toEqual([
      ["sso", "oidc:sso", "Our SSO", "https://id.example.com"],
      ["google", "google", "Google", "https://accounts.google.com"],
      ["github", "github", "GitHub", "https://github.com"],
      ["gitlab", "gitlab", "GitLab", "https://git.example.com"],
      ["entra", "oidc:entra", "Microsoft", `https://login.microsoftonline.com/${tenant}/v2.0`],
    ]);
    expect(all[0]).toMatchObject({ trustsEmail: false, join: "policy", hosts: undefined, roles: undefined });
  });

  test.each([
    ["{}", "It must be a list of 1 to 20 providers."],
    ["[", "It is not JSON."],
    [[sso, sso], "Two providers have the id sso."],
    [[{ ...sso, id: "../x" }], "Provider 1 needs an"],
    [[{ ...sso, issuer: "ftp://id.example.com" }], 'The "issuer" of provider sso must have the form'],
    [[{ ...sso, issuer: "https://us:hush@id.example.com" }], 'The "issuer" of provider sso'],
    [[{ ...sso, client_id: undefined }], 'The "client_id" of provider sso is missing'],
    [[{ ...sso, trust_emails: true }], 'Provider sso has "trust_emails", but there are only'],
    [[{ ...sso, trust_email: "yes" }], 'The "trust_email" of provider sso must be true or false.'],
    [[{ ...sso, icon: "javascript:alert(1)" }], 'The "icon" of provider sso'],
    [[{ ...sso, join: "everybody" }], 'must be "policy" or "always"'],
    [[{ ...sso, preset: "myspace" }], "must be one of google, microsoft, gitlab, github"],
    [[{ ...sso, preset: "microsoft" }], 'The "tenant" of provider sso must be the id of your directory'],
    [[{ ...sso, preset: "microsoft", tenant: "common" }], 'The "tenant" of provider sso'],
    [[{ ...sso, roles: { claim: "roles", map: { boss: "king" } } }], "maps to 'king', but must map to owner"],
    [[{ ...sso, groups: { claim: "groups", map: { all: "role:owners" } } }], "not of system groups"],
    [[{ ...sso, scope: "email" }], "must have the word openid"],
  ])("%j is refused with a sentence that helps, and without the secret", (entries, problem) => {
    const text = typeof entries === "string" ? entries : JSON.stringify(entries);
    let message = "";
    try {
      readConfig({ PARLEY_OIDC: text });
    } catch (error) {
      expect(error).toBeInstanceOf(ConfigError);
      message = (error as ConfigError).message;
    }
    expect(message).toContain("PARLEY_OIDC: ");
    expect(message).toContain(problem);
    expect(message).not.toContain("hush");
  });
});
