/** Asks for the fresh proof that the declaration of a call names, before its handler runs. */
import { camelCase } from "../../../api/camel-case.ts";
import { type Endpoint, freshProof } from "../../../api/endpoint.ts";
import { type Proof, type ProofRule, rulesFor } from "../../../api/proof.ts";
import type { Caller } from "./caller.ts";
import type { Call, Route } from "./handler.ts";

/** What somebody shows again with a call. */
export interface ShownAgain {
  password?: string | undefined;
  code?: string | undefined;
}

/** A rule that holds, with the account and the role that the call gives, where the rule asks for them. */
export interface AskedRule {
  rule: ProofRule;
  named?: unknown;
  role?: unknown;
}

/** Returns the caller for the handler. Throws the error that says what is missing. */
export type CheckProof = (
  caller: Caller,
  asked: readonly AskedRule[],
  from: ShownAgain & { address: string },
) => Promise<Caller>;

type Params = Record<string, unknown>;

/** The handler of a call, behind the proof that its declaration asks for. */
export function withProof(
  { endpoint, handle }: Pick<Route, "endpoint" | "handle">,
  checkProof: CheckProof | undefined,
): Route["handle"] {
  const { name, proof, access } = endpoint as Endpoint;
  if (!proof) return handle;
  if (!checkProof) throw new Error(`${name} needs a proof, and nothing checks one`);
  if (access === "anyone" || access === "spectator") throw new Error(`${name} needs a proof, and no account`);
  return async (call: Call<Params>, held) => {
    const { shown, params } = takeProof(endpoint, proof, call.params);
    const asked = rulesFor(proof, wireNames(proof, params)).map((rule) => asRule(rule, params));
    if (asked.length === 0) return handle({ ...call, params }, held);
    const { address } = call;
    const viewer = await checkProof(call.viewer, asked, { ...shown, address });
    return handle({ ...call, viewer, params }, held);
  };
}

/** A handler does not get the parameters that are for the proof alone. */
function takeProof(
  { parameters }: Endpoint,
  { passwordIn }: Proof,
  { ...params }: Params,
): { shown: ShownAgain; params: Params } {
  const shown: Record<string, unknown> = {};
  for (const name of ["password", "code"] as const) {
    if (parameters[name] !== freshProof[name]) continue;
    shown[name] = params[name];
    delete params[name];
  }
  if (passwordIn !== undefined) shown.password ??= params[camelCase(passwordIn)];
  return { shown, params };
}

function asRule(rule: ProofRule, params: Params): AskedRule {
  const { administrator, roleOf, when = {} } = rule;
  const account = administrator ?? roleOf;
  if (account === undefined) return { rule };
  const [role] = Object.keys(when);
  return {
    rule,
    named: params[camelCase(account)],
    ...(roleOf !== undefined && role !== undefined && { role: params[camelCase(role)] }),
  };
}

function wireNames({ rules }: Proof, params: Params): Params {
  const names = rules.flatMap(({ when = {} }) => Object.keys(when));
  return Object.fromEntries(names.map((name) => [name, params[camelCase(name)]]));
}
