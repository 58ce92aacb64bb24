import { readFileSync } from "node:fs";
import os from "node:os";

export interface Account {
  name: string;
  uid: number;
  gid: number;
}

/** The accounts in /etc/passwd. */
export function listAccounts(): Account[] {
  try {
    return parsePasswd(readFileSync("/etc/passwd", "utf8"));
  } catch {
    return [];
  }
}

export function parsePasswd(text: string): Account[] {
  const accounts: Account[] = [];
  for (const line of text.split("\n")) {
    const [name, , uid, gid] = line.split(":");
    if (!name || !uid || !gid || name.startsWith("#")) continue;
    accounts.push({ name, uid: Number(uid), gid: Number(gid) });
  }
  return accounts;
}

/** Whether our own user has a name, in /etc/passwd or in a directory service. PostgreSQL needs one. */
export function hasOwnAccount(): boolean {
  try {
    os.userInfo();
    return true;
  } catch {
    return false;
  }
}
