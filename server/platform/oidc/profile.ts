/** What a provider says about somebody who has signed in there. */
export interface ExternalProfile {
  issuer: string;
  /** The person's ID at the issuer. It never changes, and is never given to somebody else. */
  subject: string;
  email: string | undefined;
  isEmailVerified: boolean;
  /** Names for people, the best one first. They may be anything. */
  names: readonly string[];
  /** Everything else that was said. */
  claims: Readonly<Record<string, unknown>>;
}

/** OpenID Connect has at most 255 ASCII characters. */
const MAX_SUBJECT = 255;
const MAX_TEXT = 500;
const MAX_VALUES = 2000;

export function isSubject(subject: unknown): subject is string {
  return typeof subject === "string" && subject !== "" && subject.length <= MAX_SUBJECT;
}

/** The texts among these values, none of them long. */
export function textsOf(...values: readonly unknown[]): string[] {
  return values.filter(
    (value): value is string => typeof value === "string" && value.trim() !== "" && value.length <= MAX_TEXT,
  );
}

/**
 * The values of a claim: a text, or a list of texts. Without the claim there are none. undefined: the
 * provider has left the claim out because it is long, so nothing is known.
 */
export function valuesOf(
  { claims }: Pick<ExternalProfile, "claims">,
  claim: string,
): readonly string[] | undefined {
  const { _claim_names: elsewhere, hasgroups } = claims;
  const isElsewhere = isObject(elsewhere) && Object.hasOwn(elsewhere, claim);
  if (isElsewhere || (claim === "groups" && hasgroups !== undefined)) return undefined;
  const value = Object.hasOwn(claims, claim) ? claims[claim] : valueAt(claims, claim.split("."));
  return textsOf(...(Array.isArray(value) ? value.slice(0, MAX_VALUES) : [value]));
}

function valueAt(claims: unknown, path: readonly string[]): unknown {
  let value = claims;
  for (const name of path) value = isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
  return value;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
