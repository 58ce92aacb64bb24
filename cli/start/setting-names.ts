/** The names of settings, and what is said of a variable that looks like one. */
import { ConfigError, isServiceLink } from "../../server/setting-values.ts";
import { commandSettings, serverSettings } from "../settings/setting-list.ts";
import { closest } from "../suggest.ts";

const PREFIX = "PARLEY_";

/** Without the prefix. Commands read some of them, and the server the rest. */
export const settingNames: readonly string[] = [...serverSettings, ...commandSettings]
  .filter(({ name }) => name.startsWith(PREFIX))
  .map(({ name }) => name.slice(PREFIX.length))
  .sort();

const namesWithoutPrefix: ReadonlySet<string> = new Set(
  serverSettings.map(({ name }) => name).filter((name) => !name.startsWith(PREFIX)),
);
const MAX_MEANT = 3;

const MADE_BY_KUBERNETES =
  /^PARLEY_(?:[A-Z0-9_]+_)?(?:SERVICE_HOST|SERVICE_PORT(?:_[A-Z0-9_]+)?|PORT_\d+_(?:TCP|UDP|SCTP)(?:_(?:PROTO|PORT|ADDR))?)$/;

/** Variables with our prefix that nothing reads, in order. `isLink`: Kubernetes makes it for a service. */
function listUnknown(environment: NodeJS.ProcessEnv): { variable: string; isLink: boolean }[] {
  const variables = Object.keys(environment).filter((variable) => {
    const name = variable.startsWith(PREFIX) ? variable.slice(PREFIX.length) : "";
    return name !== "" && !settingNames.includes(name);
  });
  return variables.sort().map((variable) => {
    const isPort = variable.endsWith("_PORT") && isServiceLink(environment[variable] ?? "");
    return { variable, isLink: isPort || MADE_BY_KUBERNETES.test(variable) };
  });
}

/** A sentence about each variable that is no setting. It has no value, which may be a secret. */
export function unknownSettings(environment: NodeJS.ProcessEnv): { variable: string; sentence: string }[] {
  const unknown = listUnknown(environment).filter(({ isLink }) => !isLink);
  return unknown.map(({ variable }) => {
    const meant = meantBy(variable.slice(PREFIX.length));
    const hint = meant.length > 0 ? `, perhaps ${meant.join(" or ")} is meant` : "";
    return { variable, sentence: `${variable} is no setting${hint}.` };
  });
}

/**
 * What somebody meant, as whole names: one without the prefix, or the nearest one. Those of the same subject
 * come first, such as PARLEY_SMTP_URL for a password of the mail server.
 */
function meantBy(written: string): string[] {
  if (namesWithoutPrefix.has(written)) return [written];
  const [subject] = written.split("_");
  const ofSubject = settingNames.filter((name) => name.split("_")[0] === subject);
  const nearest = closest(written, ofSubject.length > 0 ? ofSubject : settingNames);
  return (nearest === undefined ? ofSubject.slice(0, MAX_MEANT) : [nearest]).map(
    (name) => `${PREFIX}${name}`,
  );
}

/** One sentence about all variables that are no settings, with what to do, or undefined. */
export function describeUnknown(environment: NodeJS.ProcessEnv): string | undefined {
  const sentences = unknownSettings(environment).map(({ sentence }) => sentence);
  if (sentences.length === 0) return undefined;
  return `${sentences.join(" ")} Correct the name, or remove the line if the setting is of another release.`;
}

/**
 * A server without a setting that somebody believes to be set may be open, or keep no backups. Throws a
 * ConfigError.
 */
export function checkSettingNames(environment: NodeJS.ProcessEnv): void {
  const unknown = describeUnknown(environment);
  if (unknown !== undefined) throw new ConfigError("setting-unknown", unknown);
}

/** A line about what Kubernetes sets, for those who wonder at the names. undefined: it sets nothing. */
export function describeServiceLinks(environment: NodeJS.ProcessEnv): string | undefined {
  const links = listUnknown(environment).filter(({ isLink }) => isLink);
  if (links.length === 0) return undefined;
  const more = links.length > 1 ? ` and ${links.length - 1} more` : "";
  return `${links[0]?.variable}${more}: set by Kubernetes for a service, and ignored. enableServiceLinks: false in the pod ends that.`;
}
