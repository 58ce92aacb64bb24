/**
 * The examples in deploy/ for proxies, with Debian's programs. Only addresses, the certificate and times
 * differ from the example: all times are a tenth, the program's own defaults too.
 */
import { execFileSync, spawn } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import net from "node:net";
import path from "node:path";
import { onTestFinished } from "vitest";
import { freePort, isRoot, waitUntil } from "../../e2e/parley.ts";

/** The host name of the examples. */
export const HOST = "chat.example.com";
/** Longer than a tenth of the minute that nginx waits by itself, shorter than a tenth of the examples'. */
export const HELD_MS = 7500;

const deploy = path.resolve(import.meta.dirname, "../../../deploy");
const example = (file: string) => readFileSync(path.join(deploy, file), "utf8");
const OWN_ADDRESS = "127.0.0.1:9991";

export interface Certificate {
  cert: string;
  key: string;
  /** Both in one file. */
  both: string;
}

interface Place {
  /** For files. */
  dir: string;
  /** Where the proxy listens. */
  port: number;
  /** The host and port of the server. */
  upstream: string;
  certificate: Certificate;
}

type Command = [program: string, words: string[]];

/** They write the configuration, and say how the program is started with it. */
export const programs: Record<"nginx" | "haproxy" | "caddy", (place: Place) => Command> = {
  nginx({ dir, port, upstream, certificate: { cert, key } }) {
    const site = tenth(example("nginx/parley.conf"))
      .replace(/^ *listen \[::\].*\n/gm, "")
      .replace("listen 80;", `listen unix:${dir}/plain.sock;`)
      .replace("listen 443 ", `listen 127.0.0.1:${port} `)
      .replaceAll(OWN_ADDRESS, upstream)
      .replace(/ssl_certificate .*;/, `ssl_certificate ${cert};`)
      .replace(/ssl_certificate_key .*;/, `ssl_certificate_key ${key};`);
    writeFileSync(path.join(dir, "parley.conf"), site);
    const kinds = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"];
    const places = kinds.map((kind) => `${kind}_temp_path ${dir}/${kind};`).join(" ");
    const main = `${isRoot ? "user root;" : ""} pid ${dir}/pid; daemon off; worker_processes 1; events {}
      http { access_log off; proxy_read_timeout 6s; ${places} include ${dir}/parley.conf; }`;
    writeFileSync(path.join(dir, "nginx.conf"), main);
    return ["/usr/sbin/nginx", ["-e", "stderr", "-p", dir, "-c", path.join(dir, "nginx.conf")]];
  },
  haproxy({ dir, port, upstream, certificate: { both } }) {
    const config = tenth(example("haproxy/haproxy.cfg"))
      .replace(/^ *bind :80\n/m, "")
      .replace("bind :443 ", `bind 127.0.0.1:${port} `)
      .replace(`/etc/haproxy/certs/${HOST}.pem`, both)
      .replace(OWN_ADDRESS, upstream);
    writeFileSync(path.join(dir, "haproxy.cfg"), config);
    return ["/usr/sbin/haproxy", ["-db", "-f", path.join(dir, "haproxy.cfg")]];
  },
  caddy({ dir, port, upstream, certificate: { cert, key } }) {
    const own = `https://${HOST}:${port} {\n\tbind 127.0.0.1\n\ttls ${cert} ${key}`;
    const config = example("caddy/Caddyfile")
      .replace(`\n${HOST} {`, `\n${own}`)
      .replace(OWN_ADDRESS, upstream);
    const options = "{\n\tadmin off\n\tauto_https disable_redirects\n}\n";
    writeFileSync(path.join(dir, "Caddyfile"), options + config);
    return ["/usr/bin/caddy", ["run", "--adapter", "caddyfile", "--config", path.join(dir, "Caddyfile")]];
  },
};

/** All times, which the examples have in seconds. */
function tenth(text: string): string {
  return text.replace(/\b(\d+)s(?=;|\s)/g, (_, seconds: string) => `${Number(seconds) * 100}ms`);
}

/** Signed by itself. */
export function makeCertificate(dir: string): Certificate {
  const cert = path.join(dir, "cert.pem");
  const key = path.join(dir, "key.pem");
  const both = path.join(dir, "both.pem");
  const kind = ["-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2"];
  const subject = ["-subj", `/CN=${HOST}`, "-addext", `subjectAltName=DNS:${HOST}`];
  execFileSync("openssl", ["req", ...kind, ...subject, "-keyout", key, "-out", cert], { stdio: "ignore" });
  writeFileSync(both, readFileSync(cert, "utf8") + readFileSync(key, "utf8"));
  return { cert, key, both };
}

/** Resolves with its port when it listens. It is ended when the test ends. */
export async function startProxy(name: keyof typeof programs, place: Omit<Place, "port">): Promise<number> {
  const port = await freePort();
  const dir = path.join(place.dir, name);
  mkdirSync(dir);
  const [program, words] = programs[name]({ ...place, dir, port });
  const child = spawn(program, words, {
    // Caddy keeps files in its home.
    env: { PATH: process.env.PATH, HOME: dir },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let printed = "";
  for (const output of [child.stdout, child.stderr]) {
    output.setEncoding("utf8").on("data", (text: string) => {
      printed += text;
    });
  }
  const end = new Promise<void>((resolve, reject) =>
    child.once("close", () => resolve()).once("error", reject),
  );
  end.catch(() => {});
  onTestFinished(async () => {
    child.kill("SIGTERM");
    await end;
  });
  await waitUntil(async () => {
    if (child.exitCode !== null) throw new Error(`${name} ended with ${child.exitCode}:\n${printed}`);
    return canConnect(port);
  }, `${name} listens`);
  return port;
}

function canConnect(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = net.connect(port, "127.0.0.1");
    socket.once("connect", () => resolve(true)).once("error", () => resolve(false));
    socket.once("connect", () => socket.destroy());
  });
}
