/** Whether the address for people leads to this installation, as somebody outside would find. */
import type { Config } from "../../server/config.ts";
import {
  ASKED_HOST_HEADER,
  askInstallation,
  INSTALLATION_HEADER,
} from "../../server/platform/crypto/installation-proof.ts";
import { Keyring } from "../../server/platform/crypto/keyring.ts";
import { findSecret } from "../../server/platform/crypto/secret.ts";

import { isLoopbackName } from "../../server/platform/http/host.ts";
import { type Finding, failed, passed, warned } from "./checks.ts";

const ANSWER_MS = 5000;
/** Only the error of an unknown host is read. */
const MAX_TEXT = 10_000;
const PASS_HOST_ON = "Let the proxy pass the Host header on, in nginx: proxy_set_header Host $host;";

/**
 * Calls PARLEY_PUBLIC_URL. The operator chose that address, which may be inside the network.
 * undefined: there is nothing to call, or no secret yet by which to know the answer.
 */
export async function checkPublicAddress(config: Config): Promise<Finding | undefined> {
  const { publicUrl } = config;
  const secret = findSecret(config);
  if (publicUrl === undefined || secret === undefined) return undefined;
  try {
    const { question, answer, hostAnswer } = askInstallation(new Keyring(secret));
    const health = await ask(`${publicUrl}/health`, { [INSTALLATION_HEADER]: question });
    const elsewhere = judgeHealth(config, health, answer);
    if (elsewhere) return elsewhere;
    // A server of before this header says nothing about the host.
    const asked = health.headers.get(ASKED_HOST_HEADER);
    const { hostname } = new URL(publicUrl);
    const isKept = asked === null || asked === hostAnswer(hostname) || isLoopbackName(hostname);
    if (!isKept) return otherHost(publicUrl);
    return judgeSettings(publicUrl, await ask(`${publicUrl}/api/v1/server_settings`));
  } catch (error) {
    return warned(
      "public-away",
      `${publicUrl} can't be reached from this machine (${reasonOf(error)}).`,
      "Look at the DNS name, the certificate and the proxy. If people do reach it, nothing is wrong: some networks lead no machine back to itself.",
    );
  }
}

/** undefined: this installation answered. */
function judgeHealth(
  { publicUrl, host, port }: Config,
  answer: Answer,
  expected: string,
): Finding | undefined {
  const { status, headers } = answer;
  if (headers.get(INSTALLATION_HEADER) === expected) return undefined;
  if (status >= 300 && status < 400) {
    return failed(
      "public-elsewhere",
      `${publicUrl} redirects to another address.`,
      "Set PARLEY_PUBLIC_URL to the address that people end at.",
    );
  }
  if ([502, 503, 504].includes(status)) {
    return warned(
      "public-away",
      `${publicUrl} answers with status ${status}: the proxy does not reach the server.`,
      `Start the server, and let the proxy forward to it at ${host}:${port}.`,
    );
  }
  return failed(
    "public-elsewhere",
    `${publicUrl} leads to another server than this one, or to one with another secret.`,
    `Look at the DNS name, and let the proxy forward to ${host}:${port}.`,
  );
}

function judgeSettings(publicUrl: string, { status, text }: Answer): Finding {
  if (status === 200) return passed(`${publicUrl} leads to this installation, under its host name.`);
  const isHidden = status === 404 && !text.includes(`'${new URL(publicUrl).hostname}'`);
  if (isHidden) return otherHost(publicUrl);
  if (status === 404) {
    return warned(
      "public-unready",
      `${publicUrl} leads to this server, which has no organization yet.`,
      "npx parley organization create makes one.",
    );
  }
  return warned(
    "public-unready",
    `${publicUrl} leads to this server, which answers with status ${status}.`,
    "The lines above and the server's log say why.",
  );
}

function otherHost(publicUrl: string): Finding {
  return failed(
    "public-host",
    `${publicUrl} leads to this server, but under another host name.`,
    PASS_HOST_ON,
  );
}

interface Answer {
  status: number;
  headers: Headers;
  text: string;
}

async function ask(address: string, headers: Record<string, string> = {}): Promise<Answer> {
  const response = await fetch(address, {
    headers,
    redirect: "manual",
    signal: AbortSignal.timeout(ANSWER_MS),
  });
  const { status, body } = response;
  let text = "";
  const decoder = new TextDecoder();
  for await (const chunk of body ?? []) {
    text += decoder.decode(chunk as Uint8Array, { stream: true });
    if (text.length > MAX_TEXT) break;
  }
  return { status, headers: response.headers, text };
}

function reasonOf(error: unknown): string {
  const { cause, name } = error as Error & { cause?: { code?: string } };
  if (name === "TimeoutError") return "no answer within 5 s";
  return cause?.code ?? name;
}
