import type { Access, Endpoint } from "./endpoint.ts";
import type { ErrorDeclaration } from "./error-declaration.ts";
import { errors } from "./errors.ts";
import { type Proof, takesProof } from "./proof.ts";

/**
 * The errors that an endpoint can give without naming them: they follow from its access and its parameters.
 */
export function impliedErrors(endpoint: Endpoint): readonly ErrorDeclaration[] {
  const parameters = Object.values(endpoint.parameters);
  return [
    ...(parameters.length > 0 ? parameterErrors : []),
    ...accessErrors[endpoint.access],
    ...(endpoint.proof ? proofErrors(endpoint.proof) : []),
    ...(takesCookieToChange(endpoint) ? ownPageErrors : []),
    ...(endpoint.files ? [errors.fileTooLarge, errors.tooManyFiles] : []),
    ...(endpoint.developmentOnly ? [errors.developmentOnly] : []),
    ...transportErrors,
  ];
}

const parameterErrors: readonly ErrorDeclaration[] = [
  errors.missingParameter,
  errors.invalidParameter,
  errors.conflictingParameters,
  errors.notJson,
  errors.wrongType,
  errors.tooLong,
  errors.nulCharacter,
];

const transportErrors: readonly ErrorDeclaration[] = [
  errors.unreadableBody,
  errors.bodyNotJson,
  errors.bodyNotObject,
  errors.bodyTooDeep,
  errors.invalidHttp,
  errors.unknownHost,
  errors.bodyTooLarge,
  errors.addressTooLong,
  errors.requestTimeout,
  errors.rateLimitHit,
  errors.botsLimitHit,
  errors.tooManyPasswords,
  errors.tooManyWrongPasswords,
  errors.tooManyWrongCodes,
  errors.tooManyBodies,
  errors.internal,
  errors.shuttingDown,
  errors.databaseAway,
  errors.outcomeUnknown,
  errors.serverBusy,
  errors.filesAway,
  errors.diskFull,
  errors.outOfMemory,
  errors.tooManyConnections,
];

const credentialErrors: readonly ErrorDeclaration[] = [
  errors.notLoggedIn,
  errors.basicAuthRequired,
  errors.invalidAuthorization,
  errors.crossSiteCredentials,
  errors.sessionEnded,
  errors.malformedApiKey,
  errors.invalidApiKey,
  errors.accountDeactivated,
  errors.writeOnlyBot,
  errors.secondStepSetupRequired,
  errors.organizationDeactivated,
];

const freshProofErrors: readonly ErrorDeclaration[] = [
  errors.botsNotAccepted,
  errors.recentProofRequired,
  errors.noProofThere,
  errors.wrongPassword,
  errors.wrongSecondStep,
];

function proofErrors(proof: Proof): readonly ErrorDeclaration[] {
  const isKeyNeeded = proof.rules.some(({ level }) => level === "API key");
  const mayBeTooNew = proof.rules.some(({ givesHighRole }) => givesHighRole);
  return [
    ...(takesProof(proof) ? freshProofErrors : []),
    ...(mayBeTooNew ? [errors.passwordSetByMail] : []),
    ...(isKeyNeeded ? [errors.apiKeyRequired] : []),
  ];
}

const ownPageErrors: readonly ErrorDeclaration[] = [errors.foreignOrigin, errors.clientNotNamed];

/** Sessions identify callers by a cookie, which browsers send with requests of other sites too. */
function takesCookieToChange({ access, method, keyInQuery, startsSession }: Endpoint): boolean {
  return startsSession === true || (access !== "anyone" && method !== "GET" && keyInQuery !== true);
}

const accessErrors: Record<Access, readonly ErrorDeclaration[]> = {
  anyone: [errors.organizationDeactivated],
  spectator: credentialErrors,
  user: credentialErrors,
  member: [...credentialErrors, errors.insufficientPermission, errors.mustBeMember],
  administrator: [...credentialErrors, errors.mustBeAdministrator],
  owner: [...credentialErrors, errors.mustBeOwner],
};
