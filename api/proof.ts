/**
 * Which calls need a fresh proof of who asks (docs/decisions/0051-one-rule-of-proof.md). A call declares it
 * beside its access, and the server asks before the call's handler runs. The reference, the table in
 * docs/accounts.md and a test of all such calls read the same declarations.
 */
import { MAILED_PASSWORD_HOURS, RECENT_PROOF_MINUTES } from "./limits.ts";
import { type Role, roles } from "./roles.ts";

/**
 * `strongest`: nobody passes without a fresh proof by the strongest that the account has. `in a session`: the
 * same for a session, and an API key alone passes. `API key`: an API key passes, and no session does.
 */
export type ProofLevel = "strongest" | "in a session" | "API key";

/** What a parameter must be like. `at most` is for roles, of which lower numbers are higher ones. */
export type Condition =
  | { is: "given" }
  | { is: "at most"; value: Role }
  | { is: "equal"; value: boolean | number };

export interface ProofRule {
  level: ProofLevel;
  /** The call is meant if one of these parameters is given like this. Absent: each call. */
  when?: Readonly<Record<string, Condition>>;
  /**
   * The parameter that names an account, a bot's too. The call is meant only if the account is an
   * administrator or owner, since somebody who takes it over has the role.
   */
  administrator?: string;
  /**
   * The parameter that names the account whose role the call gives. The call is meant only if the account has
   * another role, so that programs that write the roles of all people again go on.
   */
  roleOf?: string;
  /** The action of the entry that it leaves in the audit log. Absent: nothing changes yet. */
  entry?: string;
  /** Whether bots pass, which sign in nowhere and so have nothing to show. Otherwise they are refused. */
  botsPass?: boolean;
  /** Whether a password that was set by mail in the last day is no proof: the mailbox must not be all. */
  givesHighRole?: boolean;
}

/** All rules that hold for a call count: the strictest level, and each entry. */
export interface Proof {
  rules: readonly ProofRule[];
  /** The call's own parameter for the present password, which counts as `password` does. */
  passwordIn?: string;
}

/** The proof of a call that no session passes, so that nobody shows anything. */
export interface KeyProof extends Proof {
  rules: readonly (ProofRule & { level: "API key" })[];
}

export const given: Condition = { is: "given" };
export const atMost = (value: Role): Condition => ({ is: "at most", value });
export const equal = (value: boolean | number): Condition => ({ is: "equal", value });

/** For a call that always needs the strongest proof. */
export const strongest = (entry?: string): Proof => ({ rules: [ruleOf("strongest", entry)] });
/** For what programs do by an API key alone. */
export const inSession = (entry: string): Proof => ({ rules: [ruleOf("in a session", entry)] });

/**
 * For calls about the key of a bot, by the parameter that names the bot. The key of one with a high role has
 * that role for as long as it lasts.
 */
export const ofBotKey = (bot: string, entry: string): Proof => ({
  rules: [
    { level: "in a session", administrator: bot, entry, givesHighRole: true },
    { level: "in a session", entry },
  ],
});

/** For calls that give a role, by the parameter that names it, and the one that names the account. */
export const ofRole = (parameter: string, roleOf: string, entry: string): ProofRule[] => [
  { ...highRole(parameter, entry), roleOf },
  { level: "in a session", when: { [parameter]: given }, entry, roleOf },
];

/** For a call that makes somebody an administrator or owner, by the parameter that names the role. */
export const highRole = (parameter: string, entry: string): ProofRule => ({
  level: "strongest",
  when: { [parameter]: atMost(roles.administrator) },
  entry,
  givesHighRole: true,
});

function ruleOf(level: ProofLevel, entry: string | undefined): ProofRule {
  return { level, ...(entry !== undefined && { entry }) };
}

/** The rules that hold for a call with these parameters, by the wire's names, whatever account it names. */
export function rulesFor(
  { rules }: Proof,
  parameters: Readonly<Record<string, unknown>>,
): readonly ProofRule[] {
  return rules.filter(
    ({ when }) => !when || Object.entries(when).some(([name, one]) => isLike(one, parameters[name])),
  );
}

function isLike(condition: Condition, value: unknown): boolean {
  if (value === undefined) return false;
  if (condition.is === "given") return true;
  return condition.is === "equal"
    ? value === condition.value
    : typeof value === "number" && value <= condition.value;
}

/** Whether a call can be asked for a proof, so that it takes one. */
export function takesProof({ rules }: Proof): boolean {
  return rules.some(({ level }) => level !== "API key");
}

export const freshProofText = `A fresh proof is a code of the second step, or without a second step the password, with the call or in this session in the last ${RECENT_PROOF_MINUTES} minutes. To sign in by a passkey counts as a code.`;

const mailedPasswordText = `A password that was set by a mail is none for ${MAILED_PASSWORD_HOURS} hours, unless the account had a second step before.`;

/** What the reference says of a call's proof. */
export function describeProof(proof: Proof): string {
  const sentences = proof.rules.map(
    (rule) => `${subjectOf(rule)} ${needs[rule.level]}${rule.givesHighRole ? ` ${mailedPasswordText}` : ""}`,
  );
  return [...sentences, ...(takesProof(proof) ? [freshProofText] : [])].join(" ");
}

const needs: Record<ProofLevel, string> = {
  strongest: "needs a fresh proof, and an API key alone is not enough.",
  "in a session": "needs a fresh proof in a session, and none with an API key.",
  "API key": "needs the API key, and a session is not enough.",
};

function subjectOf({ when, administrator, roleOf }: ProofRule): string {
  if (!when && administrator === undefined) return "This";
  const conditions = Object.entries(when ?? {}).map(([name, one]) => describeCondition(name, one));
  const what = conditions.length > 0 ? `A call with ${conditions.join(" or ")}` : "A call";
  if (roleOf !== undefined) return `${what} for an account that has another role`;
  return administrator === undefined ? what : `${what} ${ofHighRole}`;
}

/** How a rule is described that is for such accounts alone. */
export const ofHighRole = "for an account that is an administrator or owner";

export function describeCondition(name: string, condition: Condition): string {
  if (condition.is === "given") return `\`${name}\``;
  return condition.is === "equal"
    ? `\`${name}\` as \`${condition.value}\``
    : `\`${name}\` of ${condition.value} or less`;
}
