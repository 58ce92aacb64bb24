import type { ModuleParts } from "../module-parts.ts";
import { accountExports } from "./exports.ts";
import { endedInviters } from "./invitations/ended-inviters.ts";
import { forgetExpiredInvitations } from "./invitations/forget-expired.ts";
import { invitationRoutes } from "./invitations/handlers.ts";
import { joinPages } from "./invitations/join/pages.ts";
import { remindOfInvitation, remindOfInvitations } from "./invitations/remind.ts";
import { unsubscribePages } from "./mail-preferences/pages.ts";
import { forgetExpiredCodes } from "./mailed-codes/codes.ts";
import { mailedCodePages } from "./mailed-codes/pages.ts";
import { forgetExpiredChallenges } from "./passkeys/challenges.ts";
import { passkeyRoutes } from "./passkeys/handlers.ts";
import { passkeyScript } from "./passkeys/pages.ts";
import { mailPasswordReset } from "./password-reset/reset-password.ts";
import { forgetFormerAddresses, keptAddresses } from "./proof/former-addresses.ts";
import { identityRoutes } from "./providers/handlers.ts";
import { providerPages } from "./providers/pages.ts";
import { forgetSignInSteps } from "./providers/steps.ts";
import { secondStepRoutes } from "./second-steps/handlers.ts";
import { secondStepSetupPages } from "./second-steps/pages.ts";
import { secondSteps } from "./second-steps/second-steps.ts";
import { endedSessions } from "./sessions/end.ts";
import { forgetExpiredSessions } from "./sessions/forget-expired.ts";
import { sessionRoutes } from "./sessions/handlers.ts";
import { newSessions, sessions } from "./sessions/live-sessions.ts";
import { loginPages } from "./sessions/pages.ts";
import { forgetPendingSignIns } from "./sessions/pending.ts";
import { FailureLog } from "./sign-in/failures.ts";
import { forgetSignInAttempts } from "./sign-in/forget-attempts.ts";
import { authRoutes } from "./sign-in/handlers.ts";
import { mailSignUp } from "./sign-up/sign-up.ts";

export const accountsModule: ModuleParts = {
  exports: accountExports,
  projections: () => [sessions, newSessions, secondSteps],
  beforeCommitHooks: ({ keyring }) => [endedSessions(keyring), endedInviters, keptAddresses],
  routes: (services) => [
    ...authRoutes(services),
    ...sessionRoutes(services),
    ...secondStepRoutes(services),
    ...passkeyRoutes(services),
    ...identityRoutes(services),
    ...invitationRoutes(services),
  ],
  jobs: [
    forgetExpiredInvitations,
    forgetExpiredSessions,
    forgetPendingSignIns,
    forgetSignInAttempts,
    forgetExpiredChallenges,
    forgetExpiredCodes,
    forgetSignInSteps,
    forgetFormerAddresses,
  ],
  mailJobs: [mailPasswordReset, mailSignUp, remindOfInvitations, remindOfInvitation],
  pages: (services) => [
    ...joinPages(services),
    ...loginPages(services),
    passkeyScript,
    ...secondStepSetupPages(services),
    ...mailedCodePages(services),
    ...unsubscribePages(services),
    ...providerPages(services),
  ],
  followers: (services, report) => [new FailureLog(services, report)],
};
