/** The examples for containers: what they say of the server is so. No container is started here. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { load, loadAll } from "js-yaml";
import { describe, expect, test } from "vitest";
import { settingNames } from "../../cli/start/setting-names.ts";
import { readConfig } from "../../server/config.ts";

const root = path.resolve(import.meta.dirname, "../..");
const read = (file: string) => readFileSync(path.join(root, "deploy", file), "utf8");
const { version } = JSON.parse(readFileSync(path.join(root, "package.json"), "utf8"));
const IMAGE = `parley:${version}`;

// biome-ignore lint/suspicious/noExplicitAny: what the files have is what the tests find out.
type Any = any;

const compose = load(read("compose/compose.yaml")) as Any;
const manifests = { "single.yaml": objectsOf("single.yaml"), "replicas.yaml": objectsOf("replicas.yaml") };
const image = read("container/Containerfile");
/** What the image itself sets. */
const ofImage = settingsOf(
  [...image.matchAll(/^ENV (.+)$/gm)].flatMap(([, pairs = ""]) =>
    pairs.split(" ").map((pair) => pair.split("=")),
  ),
);
const PORT = Number(ofImage.PARLEY_PORT);
const USER = 9991;

function objectsOf(file: string): Any[] {
  const objects: Any[] = [];
  loadAll(read(`kubernetes/${file}`), (object: Any) => objects.push(object));
  return objects;
}

function settingsOf(pairs: string[][]): Record<string, string> {
  return Object.fromEntries(pairs.filter(([name]) => name !== "HOME")) as Record<string, string>;
}

/** Each must be one that the server knows, and together they must be enough to start it. */
function expectSettings(settings: Record<string, string>): void {
  const known = [...settingNames.map((name) => `PARLEY_${name}`), ...outside];
  expect(Object.keys(settings).filter((name) => !known.includes(name))).toEqual([]);
  const config = readConfig({ ...ofImage, ...settings });
  expect(config).toMatchObject({ host: "0.0.0.0", port: PORT, isDevelopment: false });
}
const outside = ["DATABASE_URL", "AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_REGION"];
/** Values of the secret that the manifest asks for. */
const secrets: Record<string, string> = {
  DATABASE_URL: "postgres://parley:example@database/parley",
  PARLEY_SECRET: "0123456789abcdef".repeat(4),
  AWS_ACCESS_KEY_ID: "example",
  AWS_SECRET_ACCESS_KEY: "example",
};

describe("the image", () => {
  test("runs as a user with a number, who owns the one volume", () => {
    expect(image).toMatch(new RegExp(`^USER ${USER}:${USER}$`, "m"));
    expect(image).toContain(`useradd --uid ${USER} --gid ${USER}`);
    expect(image).toMatch(new RegExp(`^VOLUME ${ofImage.PARLEY_DATA_DIR}$`, "m"));
  });

  test("listens at a port that it names, and ends as the server does", () => {
    expect(image).toMatch(new RegExp(`^EXPOSE ${PORT}$`, "m"));
    expect(image).toMatch(/^STOPSIGNAL SIGTERM$/m);
    expectSettings({});
  });

  test("is made on a base with a version, which can be another one", () => {
    expect(image).toMatch(/^ARG BASE=\S+:\d+\.\d+\.\d+-\S+$/m);
    expect([...image.matchAll(/^FROM (\S+)/gm)].map(([, from]) => from)).toEqual([`\${BASE}`, `\${BASE}`]);
  });
});

describe("the example for compose", () => {
  const { parley, caddy } = compose.services;

  test("has settings of the server, and no other server's image", () => {
    expectSettings(parley.environment);
    expect([parley.image, caddy.image]).toEqual([IMAGE, expect.stringMatching(/^caddy:\d+\.\d+\.\d+$/)]);
  });

  test("can write to the volume and to memory alone", () => {
    expect(parley).toMatchObject({ read_only: true, tmpfs: ["/tmp"], cap_drop: ["ALL"], init: true });
    expect(parley.volumes).toEqual([`data:${ofImage.PARLEY_DATA_DIR}`]);
    expect(parley).not.toHaveProperty("user");
    expect(parley).not.toHaveProperty("ports");
  });

  test("trusts the addresses of the network in which the proxy is", () => {
    const [{ subnet }] = compose.networks.front.ipam.config;
    expect(parley.environment.PARLEY_TRUSTED_PROXIES).toBe(subnet);
    expect([parley.networks, caddy.networks]).toEqual([["front"], ["front"]]);
    expect(read("compose/Caddyfile")).toContain(`reverse_proxy parley:${PORT}`);
    expect(read("compose/Caddyfile")).toContain(`${new URL(parley.environment.PARLEY_PUBLIC_URL).host} {`);
  });

  test("asks the server how it is as the image does", () => {
    const [, words = "[]"] = /^ {2}CMD (\["node".+\])$/m.exec(image) ?? [];
    expect(parley.healthcheck.test).toEqual(["CMD", ...JSON.parse(words)]);
  });
});

describe.each(Object.entries(manifests))("the example for Kubernetes, %s,", (file, objects) => {
  const workload = objects.find(({ kind }) => kind === "StatefulSet" || kind === "Deployment");
  const pod = workload.spec.template.spec;
  const [container] = pod.containers;
  const service = objects.find(({ kind }) => kind === "Service");

  test("has settings of the server", () => {
    const settings = container.env.map(({ name, value, valueFrom }: Any) => {
      if (valueFrom) expect(valueFrom.secretKeyRef).toEqual({ name: "parley", key: name });
      return [name, value ?? secrets[name]];
    });
    expectSettings(Object.fromEntries(settings));
    expect(container.image).toBe(IMAGE);
  });

  test("has no value of a secret, and says how each is made", () => {
    const asked = container.env.filter(({ valueFrom }: Any) => valueFrom).map(({ name }: Any) => name);
    expect(asked).toEqual(file === "replicas.yaml" ? Object.keys(secrets) : []);
    for (const name of asked) expect(read(`kubernetes/${file}`)).toContain(`--from-literal=${name}=`);
  });

  test("sends requests to the server's port, and probes to its pages", () => {
    expect(container.ports).toEqual([{ name: "http", containerPort: PORT }]);
    expect(service.spec.ports[0].targetPort).toBe("http");
    expect(service.spec.selector).toEqual(workload.spec.template.metadata.labels);
    expect(workload.spec.selector.matchLabels).toEqual(workload.spec.template.metadata.labels);
    const paths = ["startupProbe", "livenessProbe", "readinessProbe"].map((name) => container[name].httpGet);
    expect(paths).toEqual(["/health", "/health", "/ready"].map((page) => ({ path: page, port: "http" })));
  });

  test("keeps Kubernetes from giving the server a setting", () => {
    expect(pod.enableServiceLinks).toBe(false);
    expect(
      objects.filter(({ kind }) => kind === "Service").map(({ metadata }) => metadata.name),
    ).not.toContain("parley");
    expect(() => readConfig({ PARLEY_PORT: "tcp://10.0.0.1:80" })).toThrow(
      "PARLEY_PORT is 'tcp://10.0.0.1:80'",
    );
  });

  test("gives the server no rights, and lets it write where it has to", () => {
    expect(pod.securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: USER, runAsGroup: USER });
    expect(container.securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ["ALL"] },
    });
    const claims = workload.spec.volumeClaimTemplates ?? [];
    const volumes = [
      ...pod.volumes.map(({ name }: Any) => name),
      ...claims.map(({ metadata }: Any) => metadata.name),
    ];
    expect(container.volumeMounts.map(({ name }: Any) => name).sort()).toEqual(volumes.sort());
    const { value: data } = container.env.find(({ name }: Any) => name === "PARLEY_DATA_DIR");
    // A volume belongs to root and its group, and the server wants a directory of its own.
    expect(container.volumeMounts.map(({ mountPath }: Any) => mountPath)).toContain(path.dirname(data));
  });
});

test("one server has the database inside, and never a second beside it", () => {
  const workload = manifests["single.yaml"].find(({ kind }) => kind === "StatefulSet");
  expect(workload.spec.replicas).toBe(1);
});

test("of two servers, one always serves", () => {
  const objects = manifests["replicas.yaml"];
  const workload = objects.find(({ kind }) => kind === "Deployment");
  const budget = objects.find(({ kind }) => kind === "PodDisruptionBudget");
  expect(workload.spec.replicas).toBe(2);
  expect(workload.spec.strategy.rollingUpdate.maxUnavailable).toBe(0);
  expect(budget.spec).toMatchObject({ minAvailable: 1, selector: workload.spec.selector });
});
