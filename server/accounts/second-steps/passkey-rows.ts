/**
 * What the module of passkeys does with their rows. They are kept here, since a passkey counts as a second
 * step of a sign-in by password.
 */
import {
  deletePasskey,
  findPasskey,
  insertPasskey,
  listPasskeys,
  type Passkey as Row,
  updatePasskeyName,
  updatePasskeyUse,
} from "./passkey-store.ts";
import { findSecondSteps } from "./store.ts";

export type Passkey = Row;
export const findPasskeysOf = listPasskeys;
export const findPasskeyByCredential = findPasskey;
export const addPasskeyRow = insertPasskey;
export const notePasskeyUse = updatePasskeyUse;
export const renamePasskey = updatePasskeyName;
export const removePasskeyRow = deletePasskey;
export const readSecondSteps = findSecondSteps;
