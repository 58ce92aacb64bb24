import { type Role, roles } from "../../../api/roles.ts";

/** The password of each person of the demo organization. */
export const DEMO_PASSWORD = "demo-password";

export interface Member {
  email: string;
  fullName: string;
  role: Role;
  /** The role as `parley demo` prints it. */
  title: string;
}

/** The owner comes first, since she creates the organization. */
export const people = {
  ada: { email: "ada@demo.test", fullName: "Ada Osei", role: roles.owner, title: "owner" },
  ben: { email: "ben@demo.test", fullName: "Ben Ito", role: roles.administrator, title: "administrator" },
  cleo: { email: "cleo@demo.test", fullName: "Cleo Marsh", role: roles.moderator, title: "moderator" },
  dev: { email: "dev@demo.test", fullName: "Dev Rao", role: roles.member, title: "member" },
  elin: { email: "elin@demo.test", fullName: "Elin Berg", role: roles.member, title: "member" },
  gus: { email: "gus@demo.test", fullName: "Gus Pike", role: roles.guest, title: "guest" },
} as const satisfies Record<string, Member>;

/** A generic bot that Ben owns. */
export const echoBot = { email: "echo-bot@demo.test", fullName: "Echo Bot", role: roles.member } as const;

export type CastName = keyof typeof people | "echo";

const everyoneButTheGuest: CastName[] = ["ada", "ben", "cleo", "dev", "elin", "echo"];

export const demoFolder = { name: "Product", description: "What we make, and how it looks." };

export const demoChannels = [
  {
    name: "general",
    description: "For everyone in the organization.",
    isDefault: true,
    members: everyoneButTheGuest,
  },
  {
    name: "design",
    description: "Screens, texts and colors. Gus from the print shop is here, too.",
    isInFolder: true,
    members: ["ada", "cleo", "dev", "elin", "gus"],
  },
  {
    name: "engineering",
    description: "Code, releases, and what broke.",
    isInFolder: true,
    members: ["ada", "ben", "dev", "elin", "echo"],
  },
  { name: "leads", description: "Ada, Ben and Cleo.", isPrivate: true, members: ["ada", "ben", "cleo"] },
  {
    name: "town square",
    description: "News for everybody, with or without an account.",
    isWebPublic: true,
    members: everyoneButTheGuest,
  },
] as const satisfies readonly DemoChannel[];

export const demoGroups = [
  { name: "mobile", description: "Everyone who works on the apps.", members: ["ada", "dev"] },
  { name: "print", description: "Who decides about what is printed.", members: ["cleo", "gus"] },
] as const;

export interface DemoChannel {
  name: string;
  description: string;
  isDefault?: boolean;
  isInFolder?: boolean;
  isPrivate?: boolean;
  isWebPublic?: boolean;
  members: readonly CastName[];
}
