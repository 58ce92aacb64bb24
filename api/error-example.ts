import type { ErrorDeclaration } from "./error-declaration.ts";
import type { errors } from "./errors.ts";

/** An example response with the error, with `<name>` for each part that depends on the request. */
export function errorExample(error: ErrorDeclaration): Record<string, unknown> {
  return responseOf(error, (name) => `<${name}>`);
}

/** An example response with the error, with a value of the right type for each part. */
export function errorSample(error: ErrorDeclaration): Record<string, unknown> {
  return responseOf(error, (name) => samples[name as keyof Samples]);
}

function responseOf(error: ErrorDeclaration, sampleOf: (name: string) => unknown): Record<string, unknown> {
  const data = dataFrom(sampleOf);
  const msg = error.message(data);
  const fields = { ...error.fields?.(data) };
  return { result: "error", msg, ...(error.code === undefined ? {} : { code: error.code }), ...fields };
}

/**
 * Stands for an error's data: every property that is read exists from then on, so that spreading it copies
 * them.
 */
function dataFrom(sampleOf: (name: string) => unknown): never {
  const seen: Record<string, unknown> = {};
  const data = new Proxy(seen, {
    get(target, name) {
      if (typeof name === "string") target[name] ??= sampleOf(name);
      return Reflect.get(target, name);
    },
  });
  return data as never;
}

type DataOf<E> = E extends ErrorDeclaration<infer D> ? D : never;
type AnyData = { [N in keyof typeof errors]: DataOf<(typeof errors)[N]> }[keyof typeof errors];
type NamesOf<D> = D extends D ? keyof D : never;
type ValueOf<D, N> = D extends D ? (N extends keyof D ? D[N] : never) : never;
type Samples = { [N in NamesOf<AnyData>]: ValueOf<AnyData, N> };

/** A likely value for everything that the errors say of a request. */
const samples: Samples = {
  action: "vote",
  allowed: ["GET", "POST"],
  channel: "general",
  day: "2026-02-31",
  desc: "unknown operator colour",
  domain: "example.com",
  email: "dev@demo.test",
  entity: "organization owner",
  event: "issues.labeled",
  expected: "an integer from 0 to 5000",
  first: "topic",
  first_message_id_allowed_to_move: 12,
  flag: "shiny",
  group: "mobile",
  header: "X-GitHub-Event",
  hasSent: true,
  host: "chat.example.com",
  id: 7,
  integration: "github",
  isDailyLimit: false,
  isLastOwner: true,
  kinds: ["totp", "recovery_code"],
  limit: 100,
  max: 100,
  min: 8,
  name: "content",
  names: "general, design",
  objections: [{ type: "realm", settings: ["can_create_groups"] }],
  op: "toggle",
  operator: "colour",
  placeholder: "%(username)s",
  position: 3,
  prefix: "role:",
  problem: "an option has no text",
  queueId: "0f3b3b52-9a5e-4a53-8a7e-2f1f4b7d2f61",
  reason: "missing closing )",
  retryAfter: 12.5,
  seconds: 60,
  second: "subject",
  setting_name: "can_create_groups",
  skipped: [["dev@demo.test", "Already has an account.", false]],
  status: "busy",
  stream: "general",
  stream_id: 7,
  topic: "lunch",
  total_messages_allowed_to_move: 3,
  total_messages_in_topic: 8,
  until: "2030-01-02 00:00 UTC",
  value: "abc",
  wait: "30 minutes",
  what: "drafts",
  who: "dev@demo.test",
  years: 5,
};
