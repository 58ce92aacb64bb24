import { type Role, roles } from "../../../api/roles.ts";

export interface Colleague {
  fullName: string;
  role: Role;
  timezone: string;
  status?: { text: string; emoji: string };
}

function member(fullName: string, timezone: string, emoji?: string, text?: string): Colleague {
  const status = emoji !== undefined && text !== undefined ? { emoji, text } : undefined;
  return { fullName, role: roles.member, timezone, ...(status && { status }) };
}

/** Everybody else at Tidewater. Their addresses are NAME@demo.test. */
export const colleagues = {
  amir: member("Amir Rahimi", "Europe/Berlin"),
  bea: member("Bea Costa", "Europe/Lisbon"),
  carl: member("Carl Jensen", "Europe/Copenhagen"),
  dina: member("Dina Farouk", "Africa/Cairo", "books", "Reading about currents"),
  emre: member("Emre Yılmaz", "Europe/Istanbul"),
  finn: member("Finn Murphy", "Europe/Dublin", "bike", "Back at two"),
  greta: { fullName: "Greta Weiss", role: roles.moderator, timezone: "Europe/Vienna" },
  hana: member("Hana Kim", "Asia/Seoul"),
  hugo: member("Hugo Moreau", "Europe/Paris"),
  ines: member("Inês Lopes", "Europe/Lisbon", "palm_tree", "Away until Thursday"),
  ivo: member("Ivo Novák", "Europe/Prague"),
  jonas: member("Jonas Holm", "Europe/Oslo"),
  jun: member("Jun Tanaka", "Asia/Tokyo"),
  kira: member("Kira Sato", "America/Vancouver"),
  kofi: member("Kofi Mensah", "Africa/Accra", "phone", "On call this week"),
  lena: member("Lena Fischer", "Europe/Berlin"),
  leo: member("Leo Rossi", "Europe/Rome"),
  mara: member("Mara Silva", "America/Sao_Paulo"),
  maya: member("Maya Singh", "Asia/Kolkata", "speech_balloon", "Interviews all day"),
  nils: member("Nils Larsen", "Europe/Oslo"),
  noor: member("Noor Aziz", "Asia/Karachi"),
  olga: member("Olga Petrova", "Europe/Riga"),
  otto: member("Otto Lang", "Europe/Zurich"),
  paul: member("Paul Dubois", "America/Montreal"),
  quinn: member("Quinn Harper", "America/New_York"),
  rosa: member("Rosa Martínez", "Europe/Madrid"),
  sam: member("Sam O'Neil", "Europe/London", "headphones", "Writing"),
  tove: member("Tove Lind", "Europe/Stockholm"),
  uma: member("Uma Patel", "Europe/London"),
  viktor: member("Viktor Horváth", "Europe/Budapest"),
  wanda: member("Wanda Zielińska", "Europe/Warsaw"),
  xin: member("Xin Zhao", "Asia/Singapore"),
  yara: member("Yara Haddad", "Asia/Beirut"),
  zoe: member("Zoe Clark", "America/Halifax"),
} as const satisfies Record<string, Colleague>;
