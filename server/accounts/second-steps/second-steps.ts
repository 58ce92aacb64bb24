import type { UserId } from "../../../api/ids.ts";
import type { Projection } from "../../platform/log/projection.ts";
import { listSecondSteps } from "./store.ts";

/** What somebody can show beside, or in place of, the password. */
export interface SecondStepsOf {
  userId: UserId;
  /** An authenticator app. */
  hasTotp: boolean;
  passkeys: number;
}

/** The people of an organization who have a second step. */
export const secondSteps: Projection<Map<UserId, SecondStepsOf>, SecondStepsOf> = {
  name: "second_steps",
  async load(tx, organizationId) {
    return new Map((await listSecondSteps(tx, organizationId)).map((each) => [each.userId, each]));
  },
  apply(value, present) {
    if (hasSecondStep(present)) value.set(present.userId, present);
    else value.delete(present.userId);
  },
};

export function hasSecondStep({ hasTotp, passkeys }: SecondStepsOf): boolean {
  return hasTotp || passkeys > 0;
}

export type StepKind = "totp" | "passkey" | "recovery_code";

/** As the API names them. Empty for somebody without a second step. */
export function kindsOf(present: SecondStepsOf & { recoveryCodes: number }): StepKind[] {
  if (!hasSecondStep(present)) return [];
  return [
    ...(present.hasTotp ? ["totp" as const] : []),
    ...(present.passkeys > 0 ? ["passkey" as const] : []),
    ...(present.recoveryCodes > 0 ? ["recovery_code" as const] : []),
  ];
}
