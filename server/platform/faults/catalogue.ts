/**
 * Every cause that an operator can meet, once: its number, the exit code, what it is and what to do. The
 * sentences stand where they are thrown and name the fault. tools/faults.js makes docs/faults.md of both.
 */
import { backupFaults } from "./backup-faults.ts";
import { commandFaults } from "./command-faults.ts";
import { dataFaults } from "./data-faults.ts";
import type { Fault } from "./fault.ts";
import { partFaults } from "./part-faults.ts";
import { settingsFaults } from "./settings-faults.ts";

const all = { ...settingsFaults, ...dataFaults, ...backupFaults, ...commandFaults, ...partFaults };

export type FaultName = keyof typeof all;

/** A fault and the sentence about it, as the first arguments of a `FaultError`. */
export type FoundFault = [fault: FaultName, sentence: string];

export const faults: Readonly<Record<FaultName, Fault>> = all;

/** The sentence with the number at its end, by which docs/faults.md and `parley help` know it. */
export function withNumber(fault: FaultName, sentence: string): string {
  return `${sentence} (${faults[fault].number})`;
}

/** The fault with this number, such as `P216`, in capitals or not. undefined: there is none. */
export function findFault(number: string): [FaultName, Fault] | undefined {
  const found = Object.entries(faults).find(([, fault]) => fault.number === number.toUpperCase());
  return found as [FaultName, Fault] | undefined;
}
